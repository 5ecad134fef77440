// What the pages use of the decoder of Arrow data, a script that defines a global.

interface FlechetteTable {
  numRows: number;
  numCols: number;
  schema: { fields: { name: string; type: any; nullable: boolean }[] };
  getChildAt(i: number): { type: any; length: number; at(i: number): any; toArray(): any };
}

declare var fl: {
  Type: Record<string, number>;
  columnFromArray(values: any[], type: any, options: { maxBatchRows: number }): unknown;
  dictionary(type: any, indices: any): any;
  float64(): any;
  int8(): any;
  int32(): any;
  utf8(): any;
  tableFromColumns(columns: [string, unknown][]): FlechetteTable;
  tableToIPC(table: FlechetteTable, options: { format: 'file' }): Uint8Array<ArrayBuffer>;
  tableFromIPC(data: ArrayBuffer | Uint8Array | Uint8Array[], options: object): FlechetteTable;
};
