"""An S3 server with one bucket, on a disk that can be filled."""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import time
import urllib.request

from service import TOP, java

JAR = TOP / "target" / "s3proxy" / "s3proxy.jar"
ROOT = () if os.getuid() == 0 else ("sudo", "-n")
"""Runs a command as the administrator, without a question."""
STARTED = re.compile(r"\{127\.0\.0\.1:(\d+)}")


class Disk:
    """A small file system in memory, or a folder where the system does not let us have one."""

    def __init__(self, folder, byte_size):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True)
        owner = f"uid={os.getuid()},gid={os.getgid()}"
        mount = [*ROOT, "mount", "-t", "tmpfs", "-o", f"size={byte_size},{owner}", "tmpfs", self.folder]
        self.mounted = False
        with contextlib.suppress(OSError):
            self.mounted = subprocess.run(mount, capture_output=True).returncode == 0
        self.filler = self.folder / "filler"

    def fill(self):
        """Takes all space that is left."""
        with self.filler.open("ab", buffering=0) as filler:
            for piece in (bytes(1 << 20), bytes(4 << 10)):
                with contextlib.suppress(OSError):
                    while filler.write(piece) == len(piece):
                        pass

    def free(self):
        self.filler.unlink(missing_ok=True)

    def close(self):
        if self.mounted:
            subprocess.run([*ROOT, "umount", "-l", self.folder], check=True)


class Bucket:
    """S3Proxy on a folder. It accepts any credentials but requires some."""

    name = "quiver"
    credentials = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        (self.folder / "buckets").mkdir(parents=True)
        configuration = self.folder / "s3proxy.conf"
        configuration.write_text(
            "s3proxy.authorization=none\n"
            "s3proxy.endpoint=http://127.0.0.1:0\n"
            "jclouds.provider=filesystem-nio2\n"
            f"jclouds.filesystem.basedir={self.folder / 'buckets'}\n"
        )
        self.log = self.folder.parent / "s3proxy.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [java(), "-Xmx256m", "-XX:+UseSerialGC", "-jar", JAR, "--properties", configuration],
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self.port = self._started()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/{self.name}", method="PUT")
        urllib.request.urlopen(request).close()

    def _started(self):
        deadline = time.monotonic() + 60
        while not (found := STARTED.search(self.log.read_text())):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the S3 server did not start:\n{self.log.read_text()}")
            time.sleep(0.1)
        return int(found[1])

    def remove(self, prefix):
        """Removes all that datasets have whose names begin with a prefix, as if they had never been."""
        for folder in list((self.folder / "buckets" / self.name).glob(f"*/_{prefix}*")):
            shutil.rmtree(folder, ignore_errors=True)

    def has(self, prefix):
        """Whether there are objects whose keys begin with a prefix."""
        return any(path.is_file() for path in (self.folder / "buckets" / self.name).glob(f"{prefix}*/**/*"))

    def manifest(self, dataset, version):
        """The file of the manifest of a version. Its name counts down, so that the latest is listed first."""
        folder = self.folder / "buckets" / self.name / "manifests" / f"_{dataset}_"
        return folder / f"{(1 << 63) - 1 - version:019}"

    def stop(self):
        self.process.kill()
        self.process.wait()
