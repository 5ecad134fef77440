SwaggerUIBundle({
  url: '../openapi',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
});
