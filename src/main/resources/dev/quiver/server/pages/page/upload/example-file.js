// An example for those who have no file at hand: the winners of the 100 metres at the Olympic Games, as an Arrow file.
// @ts-check

// The decoder, which is an encoder, too: a script that defines a global.
import '../vendor/flechette-2.6.0.min.js';

// The year of the Games, their city, its latitude and longitude, and the winner, country and seconds of men and of women.
// The gold medal of the women of 2000 was withdrawn.
const GAMES = `
1896,Athens,37.98,23.73,Thomas Burke,United States,12.0
1900,Paris,48.86,2.35,Frank Jarvis,United States,11.0
1904,St. Louis,38.63,-90.20,Archie Hahn,United States,11.0
1908,London,51.51,-0.13,Reggie Walker,South Africa,10.8
1912,Stockholm,59.33,18.07,Ralph Craig,United States,10.8
1920,Antwerp,51.22,4.40,Charley Paddock,United States,10.8
1924,Paris,48.86,2.35,Harold Abrahams,United Kingdom,10.6
1928,Amsterdam,52.37,4.90,Percy Williams,Canada,10.8,Betty Robinson,United States,12.2
1932,Los Angeles,34.05,-118.24,Eddie Tolan,United States,10.3,Stanisława Walasiewicz,Poland,11.9
1936,Berlin,52.52,13.40,Jesse Owens,United States,10.3,Helen Stephens,United States,11.5
1948,London,51.51,-0.13,Harrison Dillard,United States,10.3,Fanny Blankers-Koen,Netherlands,11.9
1952,Helsinki,60.17,24.94,Lindy Remigino,United States,10.4,Marjorie Jackson,Australia,11.5
1956,Melbourne,-37.81,144.96,Bobby Morrow,United States,10.5,Betty Cuthbert,Australia,11.5
1960,Rome,41.90,12.50,Armin Hary,Germany,10.2,Wilma Rudolph,United States,11.0
1964,Tokyo,35.68,139.69,Bob Hayes,United States,10.0,Wyomia Tyus,United States,11.4
1968,Mexico City,19.43,-99.13,Jim Hines,United States,9.95,Wyomia Tyus,United States,11.08
1972,Munich,48.14,11.58,Valeriy Borzov,Soviet Union,10.14,Renate Stecher,East Germany,11.07
1976,Montréal,45.50,-73.57,Hasely Crawford,Trinidad and Tobago,10.06,Annegret Richter,West Germany,11.08
1980,Moscow,55.76,37.62,Allan Wells,United Kingdom,10.25,Lyudmila Kondratyeva,Soviet Union,11.06
1984,Los Angeles,34.05,-118.24,Carl Lewis,United States,9.99,Evelyn Ashford,United States,10.97
1988,Seoul,37.57,126.98,Carl Lewis,United States,9.92,Florence Griffith Joyner,United States,10.54
1992,Barcelona,41.39,2.17,Linford Christie,United Kingdom,9.96,Gail Devers,United States,10.82
1996,Atlanta,33.75,-84.39,Donovan Bailey,Canada,9.84,Gail Devers,United States,10.94
2000,Sydney,-33.87,151.21,Maurice Greene,United States,9.87,,,
2004,Athens,37.98,23.73,Justin Gatlin,United States,9.85,Yulia Nestsiarenka,Belarus,10.93
2008,Beijing,39.90,116.41,Usain Bolt,Jamaica,9.69,Shelly-Ann Fraser,Jamaica,10.78
2012,London,51.51,-0.13,Usain Bolt,Jamaica,9.63,Shelly-Ann Fraser-Pryce,Jamaica,10.75
2016,Rio de Janeiro,-22.91,-43.17,Usain Bolt,Jamaica,9.81,Elaine Thompson,Jamaica,10.71
2020,Tokyo,35.68,139.69,Marcell Jacobs,Italy,9.80,Elaine Thompson-Herah,Jamaica,10.61
2024,Paris,48.86,2.35,Noah Lyles,United States,9.79,Julien Alfred,Saint Lucia,10.72
`;

/** The file, whose record batches are those of men and of women. */
export function exampleFile() {
  const { fl } = globalThis;
  const games = GAMES.trim().split('\n').map((line) => line.split(','));
  /** @param {number} first the position of the winner */
  const rows = (first) => games.filter((fields) => fields.length > first).map((fields) => ({ fields, winner: fields.slice(first, first + 3), event: first === 4 ? 'Men' : 'Women' }));
  const men = rows(4);
  const all = [...men, ...rows(7)];
  /** @param {(row: typeof all[0]) => string} value */
  const texts = (value) => all.map((row) => value(row) || null);
  /** @param {(row: typeof all[0]) => string} value */
  const numbers = (value) => texts(value).map((text) => (text === null ? null : Number(text)));
  /** @type {[string, any, any[]][]} */
  const columns = [
    ['year', fl.int32(), numbers(({ fields }) => fields[0])],
    ['event', fl.dictionary(fl.utf8(), fl.int8()), texts(({ event }) => event)],
    ['winner', fl.utf8(), texts(({ winner }) => winner[0])],
    ['country', fl.dictionary(fl.utf8(), fl.int8()), texts(({ winner }) => winner[1])],
    ['seconds', fl.float64(), numbers(({ winner }) => winner[2])],
    ['city', fl.utf8(), texts(({ fields }) => fields[1])],
    ['latitude', fl.float64(), numbers(({ fields }) => fields[2])],
    ['longitude', fl.float64(), numbers(({ fields }) => fields[3])],
  ];
  const table = fl.tableFromColumns(columns.map(([name, type, values]) => [name, fl.columnFromArray(values, type, { maxBatchRows: men.length })]));
  return new File([fl.tableToIPC(table, { format: 'file' })], 'sprints.arrow');
}
