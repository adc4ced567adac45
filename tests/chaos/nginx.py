"""An nginx of our own before two instances of the service."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from service.storage.embedded import ending_with_parent

TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
CONFIG = """
daemon off;
{user}
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{ worker_connections 512; }}
http {{
    access_log off;
    {temporary}
    upstream upcard {{
        # A port that refuses is passed over at once, so that neither instance is ever held to be gone.
        server 127.0.0.1:{ports[0]} max_fails=0;
        server 127.0.0.1:{ports[1]} max_fails=0;
        keepalive 16;
        # Shorter than the service's own: a POST must not be sent on a connection that is just being closed.
        keepalive_timeout 4s;
    }}
    server {{
        listen 127.0.0.1:{front};
        location / {{
            proxy_pass http://upcard;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header X-Forwarded-For $remote_addr;
        }}
    }}
}}
"""


class NginxMissing(Exception):
    """There is no nginx on this machine."""

    def __str__(self) -> str:
        return "nginx is not installed; on Debian: make tools"


def find_nginx() -> str:
    """The program; Debian has it where only root looks. Raises NginxMissing."""
    found = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        raise NginxMissing
    return found


@contextmanager
def nginx(folder: Path, ports: Sequence[int], front: int) -> Iterator[str]:
    """The address of an nginx on the port `front`, for the length of a block; what it writes lies in a folder."""
    config = folder / "nginx.conf"
    config.write_text(
        CONFIG.format(
            folder=folder,
            ports=ports,
            front=front,
            user="user root;" if os.geteuid() == 0 else "",
            temporary=" ".join(f"{name}_temp_path {folder}/{name};" for name in TEMPORARY),
        )
    )
    process = subprocess.Popen(
        [find_nginx(), "-c", str(config), "-p", str(folder), "-e", str(folder / "nginx.log")],
        preexec_fn=ending_with_parent(signal.SIGTERM),  # noqa: PLW1509 - it takes no lock
    )
    try:
        yield f"http://127.0.0.1:{front}"
    finally:
        process.terminate()
        process.wait(10)
