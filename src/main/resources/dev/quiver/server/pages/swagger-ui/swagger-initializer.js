// Parts of Swagger UI that fail in the hands of people who use a keyboard or a screen reader.
const accessible = (system) => ({
  components: {
    // A link within the button that opens a request; the button sets the fragment, too.
    DeepLink: ({ text }) => system.React.createElement('span', null, text),
    // A choice without a name of one server, which is this one.
    ServersContainer: () => null,
  },
});

SwaggerUIBundle({
  url: '../openapi',
  dom_id: '#swagger-ui',
  deepLinking: true,
  plugins: [accessible],
  validatorUrl: null,
});
