"""Credentials in a config: what is wrong with them is found before the bot connects."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from cryptography import x509

NETWORK = "[network n]\nhost = x\nchannels = #a\n"


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    """A folder with certificates and keys: valid, on another curve, encrypted, about to expire."""
    folder = tmp_path_factory.mktemp("keys")
    openssl(folder, "ecparam -genkey -name prime256v1 -noout -out p256")
    openssl(folder, "ecparam -genkey -name secp384r1 -noout -out p384")
    openssl(folder, "ec -in p256 -aes128 -passout pass:x -out locked")
    for name, days in (("long", 99), ("short", 3)):
        openssl(folder, f"req -x509 -key p256 -subj /CN=bot -days {days} -out {name}")
    (folder / "both").write_text((folder / "p256").read_text() + (folder / "long").read_text())
    (folder / "shut").write_text((folder / "locked").read_text() + (folder / "long").read_text())
    for file in folder.iterdir():
        file.chmod(0o600)
    return folder


def openssl(folder: Path, command: str) -> None:
    subprocess.run(["openssl", *command.split()], cwd=folder, check=True, capture_output=True)


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ("sasl = plain", "4: [network n] sasl: plain needs sasl_password"),
        ("sasl = plain, external\nsasl_password = x", "4: [network n] sasl: external needs tls_cert"),
        ("sasl = scram-sha-256", "4: [network n] sasl: scram-sha-256 needs sasl_password"),
        ("sasl = ecdsa-nist256p-challenge", "4: [network n] sasl: ecdsa-nist256p-challenge needs sasl_key"),
        ("sasl = auto", "4: [network n] sasl: auto needs one of sasl_password, sasl_key and tls_cert"),
        (
            "sasl = scram",
            "4: [network n] sasl: 'scram' should be 'none', 'auto', 'plain', 'external', 'scram-sha-256' or "
            "'ecdsa-nist256p-challenge'",
        ),
        ("sasl = auto, plain", "4: [network n] sasl: none and auto cannot be combined with others"),
        (
            "sasl_password = x",
            "4: [network n] sasl_password: is given, but sasl is none; did you mean sasl = auto?",
        ),
        ("sasl_username = a b", "4: [network n] sasl_username: contains a space"),
        ("nickserv_password = a b", "4: [network n] nickserv_password: contains a space"),
        ("sts = maybe", "4: [network n] sts: 'maybe' is neither yes nor no"),
        (
            "tls_fingerprint = ab:cd",
            "4: [network n] tls_fingerprint: 'ab:cd' is not a SHA-256 fingerprint, which has 64 hexadecimal digits",
        ),
        ("tls_key = KEYS/p256", "4: [network n] tls_key: has no effect without tls_cert"),
        ("tls_cert = KEYS/none", "4: [network n] tls_cert: KEYS/none: no such file or directory"),
        (
            "tls_cert = KEYS/long",
            "4: [network n] tls_cert: needs its own key, unencrypted, in the same file or in tls_key",
        ),
        (
            "tls_cert = KEYS/long\ntls_key = KEYS/p384",
            "4: [network n] tls_cert: needs its own key, unencrypted, in the same file or in tls_key",
        ),
        (
            "tls_cert = KEYS/shut",
            "4: [network n] tls_cert: needs its own key, unencrypted, in the same file or in tls_key",
        ),
        *(
            (
                f"sasl = auto\nsasl_key = KEYS/{name}",
                f"5: [network n] sasl_key: KEYS/{name}: contains no unencrypted P-256 (prime256v1) private key in PEM",
            )
            for name in ("p384", "long", "locked")
        ),
        ("sasl = auto\nsasl_key = KEYS/none", "5: [network n] sasl_key: KEYS/none: no such file or directory"),
    ],
)
def test_credentials_that_cannot_work_are_a_fault(faults, keys, entries, told):
    """IRC-04, IRC-02: one that is missing, broken or unused is one fault, with its line."""
    assert faults(NETWORK + entries.replace("KEYS", str(keys))) == [told.replace("KEYS", str(keys))]


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ("tls_cert = KEYS/both", []),
        ("tls_cert = KEYS/long\ntls_key = KEYS/p256\nsasl = external", []),
        ("sasl_key = KEYS/p256\nsasl = auto", []),
        ("sasl = none", []),
        ("nickserv_password = x", []),
        ("tls = no\nsasl = plain\nsasl_password = x\nsasl_plain_without_tls = yes\nport = 6667", []),
        ("tls = no\nsasl = auto\nsasl_password = x\nport = 6667", []),  # SCRAM
        (
            "tls = no\nsasl = plain\nsasl_password = x\nport = 6667",
            ["5: [network n] sasl: plain needs TLS, but tls is no"],
        ),
        (
            "tls = no\nnickserv_password = x\nport = 6667",
            ["5: [network n] nickserv_password: is sent in the clear, because tls is no"],
        ),
        ("tls = no\npassword = x\nport = 6667", ["5: [network n] password: is sent in the clear, because tls is no"]),
        ("port = 6667", ["4: [network n] port: 6667 is a port without TLS on nearly every network"]),
        ("port = 6667\ntls = no", []),
        ("tls = no", ["4: [network n] tls: is no, but port 6697 takes only TLS on nearly every network"]),
        (
            f"tls_ca = KEYS/long\ntls_fingerprint = {'a' * 64}",
            ["4: [network n] tls_ca: is ignored: tls_fingerprint replaces all other checks"],
        ),
        (
            "tls_cert = KEYS/short\ntls_key = KEYS/p256",
            ["4: [network n] tls_cert: expires on DAY"],
        ),
    ],
)
def test_what_is_hardly_intended_gets_a_warning(read, keys, entries, told):
    """IRC-04, IRC-02, IRC-05: passwords in the clear, ignored keys, certificates about to expire."""
    warnings = read(NETWORK + entries.replace("KEYS", str(keys))).warnings
    ends = x509.load_pem_x509_certificate((keys / "short").read_bytes()).not_valid_after_utc
    told = [each.replace("DAY", f"{ends:%Y-%m-%d}") for each in told]
    assert [str(warning).partition("config.ini:")[2] for warning in warnings] == told


@pytest.mark.parametrize("entries", ["tls_cert = {}", "sasl = auto\nsasl_key = {}"])
def test_a_key_that_others_may_read(read, keys, tmp_path, entries):
    """IRC-05: it gets a warning like any secret."""
    file = tmp_path / "key"
    file.write_text((keys / "both").read_text() if "tls_cert" in entries else (keys / "p256").read_text())
    file.chmod(0o644)
    (warning,) = read(NETWORK + entries.format(file)).warnings
    assert str(warning) == f"{file}: holds a secret and may be read by anyone: chmod 600"


def test_secrets_of_the_login(read, keys, tmp_path):
    """IRC-05: they may come from a file or the environment, and no repr shows them."""
    (tmp_path / "pass").write_text("hunter2\n")
    (tmp_path / "pass").chmod(0o600)
    text = f"{NETWORK}sasl = auto\nsasl_key = {keys / 'p256'}\nsasl_password_file = pass\n"
    (one,) = read(text, IRCDICE_NETWORK_N_NICKSERV_PASSWORD="hunter3").networks
    assert (one.sasl_password, one.nickserv_password) == ("hunter2", "hunter3")
    assert one.sasl_key is not None
    assert "PRIVATE KEY" in one.sasl_key.pem
    assert "hunter" not in repr(one)
    assert "PRIVATE" not in repr(one)
