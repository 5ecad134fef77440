"""Microbenchmarks of the inner loops, with JMH."""

import json
import subprocess

from peers import compiled, java

MEASURED = ("-f", "1", "-wi", "3", "-w", "400ms", "-r", "400ms", "-foe", "true", "-v", "SILENT")
# Only these have a scalar variant, which runs when the vector module is absent.
VECTOR = ("--add-modules", "jdk.incubator.vector")
VECTORIZED = "Kernels.(validate|select|calculate|countBits|copyBits).*"
UNITS = {"ops/ns": "GB/s", "ops/us": "million rows/s"}


def kernels(bench):
    """Offsets, UTF-8, filters, statistics, bitmaps, codecs, slices and text in isolation, with JMH on one thread"""
    pattern = f"Kernels.*{bench.only}.*"
    vector = measured(bench, pattern, VECTOR)
    scalar = measured(bench, VECTORIZED if not bench.only else pattern, ())
    print("| kernel | unit | with the vector module | without | ratio |")
    print("| --- | --- | --- | --- | --- |")
    for name, (score, unit) in vector.items():
        other = scalar.get(name, ("", unit))[0]
        cells = (name, unit, figure(score), figure(other), figure(other and score / other))
        print("| " + " | ".join(cells) + " |")


def figure(value):
    return f"{value:.2f}" if value else ""


def measured(bench, pattern, jvm):
    """The score and unit of each benchmark, by name."""
    file = bench.folder / "kernels.json"
    arguments = [*MEASURED, "-i", str(bench.rounds), "-rf", "json", "-rff", str(file), pattern]
    main = compiled("Main", *arguments, package="org.openjdk.jmh.")
    # The output is captured because every JVM warns that the module is incubating.
    done = subprocess.run([java(), *jvm, *main], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"JMH ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    found = {}
    for result in json.loads(file.read_text()):
        name = " ".join([result["benchmark"].rpartition(".")[2], *result.get("params", {}).values()])
        metric = result["primaryMetric"]
        found[name] = metric["score"], UNITS[metric["scoreUnit"]]
    return found
