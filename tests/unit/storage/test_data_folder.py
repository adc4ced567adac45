import os
import stat
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from service.storage.data_folder import (
    DataFolder,
    FolderInUse,
    FolderUnusable,
    SecretUnsafe,
    SocketFolderUnsafe,
    make_private,
    opened,
    socket_folder,
)


@pytest.fixture
def short_temp(monkeypatch):
    """A temporary folder of the system's own, so that socket folders stay short enough to lie in it."""
    with tempfile.TemporaryDirectory(prefix="up") as folder:
        monkeypatch.setattr(tempfile, "tempdir", folder)
        yield folder


def test_a_new_folder_is_private(tmp_path):
    with opened(tmp_path / "a" / "b") as folder:
        assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700


def test_a_second_holder_is_told_who_holds_the_folder(tmp_path):
    with opened(tmp_path), pytest.raises(FolderInUse, match=rf"in use by another .* \(process {os.getpid()}\)"):
        opened(tmp_path).__enter__()
    with opened(tmp_path):
        pass


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(FolderUnusable, match="cannot be used: File exists"):
        opened(tmp_path / "taken").__enter__()


def test_the_secret_is_made_once_private_and_whole(tmp_path):
    secret = DataFolder(tmp_path).secret()
    assert len(bytes.fromhex(secret)) == 32
    assert DataFolder(tmp_path).secret() == secret
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["secret"]


def test_starters_that_race_get_the_same_secret(tmp_path):
    folders = [tmp_path / str(number) for number in range(20)]
    with ThreadPoolExecutor(8) as starters:
        for folder in folders:
            folder.mkdir()
            assert len(set(starters.map(lambda it: DataFolder(it).secret(), [folder] * 8))) == 1


@pytest.mark.parametrize(("text", "mode", "reason"), [("ab" * 32, 0o644, "chmod 600"), ("ab", 0o600, "is damaged")])
def test_an_unsafe_secret_is_refused_without_being_shown(tmp_path, text, mode, reason):
    (tmp_path / "secret").write_text(text)
    (tmp_path / "secret").chmod(mode)
    with pytest.raises(SecretUnsafe, match=reason) as refused:
        DataFolder(tmp_path).secret()
    assert "abab" not in str(refused.value)


def test_the_socket_folder_is_short_private_and_the_same_each_time(tmp_path, short_temp):
    folder = socket_folder(tmp_path)
    assert folder == socket_folder(tmp_path)
    assert folder != socket_folder(tmp_path / "other")
    assert folder.parent == Path(short_temp)
    make_private(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_long_temporary_folder_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / ("t" * 100)))
    assert socket_folder(tmp_path).parent == Path("/tmp")


def test_a_socket_folder_that_others_reach_or_made_is_refused(tmp_path, short_temp):
    folder = socket_folder(tmp_path)
    folder.mkdir()
    folder.chmod(0o755)
    with pytest.raises(SocketFolderUnsafe, match="has mode 755 instead of 700"):
        make_private(folder)
    folder.rmdir()
    folder.symlink_to(tmp_path)
    with pytest.raises(SocketFolderUnsafe, match="is not a folder"):
        make_private(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser gives a folder away")
def test_a_socket_folder_of_somebody_else_is_refused(tmp_path, short_temp):
    folder = socket_folder(tmp_path)
    make_private(folder)
    os.chown(folder, 12345, -1)
    with pytest.raises(SocketFolderUnsafe, match="belongs to another user"):
        make_private(folder)
