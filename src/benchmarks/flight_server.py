"""A pyarrow Flight server whose `DoGet` sends the batches of an Arrow stream from memory."""

import sys

import pyarrow as pa
from pyarrow import flight


class FlightServer(flight.FlightServerBase):
    def __init__(self, file, port):
        super().__init__(f"grpc+tcp://127.0.0.1:{port}")
        with open(file, "rb") as source:
            self.table = pa.ipc.open_stream(source).read_all()

    def do_get(self, context, ticket):
        return flight.RecordBatchStream(self.table)


FlightServer(sys.argv[1], int(sys.argv[2])).serve()
