// What the pages use of the decoder of Arrow data, a script that defines a global.

interface FlechetteTable {
  numRows: number;
  numCols: number;
  schema: { fields: { name: string; type: any; nullable: boolean }[] };
  getChildAt(i: number): { type: any; length: number; at(i: number): any; toArray(): any };
}

declare var fl: {
  Type: Record<string, number>;
  tableFromIPC(data: ArrayBuffer | Uint8Array | Uint8Array[], options: object): FlechetteTable;
};
