"""Models by address, from a server that behaves like the hub."""

import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

from hub import COMMIT, PARAMETERS, TOKEN, WEIGHTS_SIZE, Server, hub, storage

CLI = os.environ["PLIMSOLL_CLI"]


class Addresses(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.storage = Server(storage)
        self.hub = hub(self.storage)
        for server in (self.storage, self.hub):
            self.addCleanup(server.server_close)
            self.addCleanup(server.shutdown)

    def run_program(self, *words, **environment):
        own = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "CURL_", "SSL_")) and "proxy" not in name.lower()}
        own |= {"HF_ENDPOINT": self.hub.url, "PLIMSOLL_CACHE": str(self.folder / "cache"), "HF_HUB_DOWNLOAD_TIMEOUT": "20", **environment}
        return subprocess.run([CLI, *words], capture_output=True, encoding="utf-8", env=own)

    def read(self, address, *words, **environment):
        """What the file says, which must be that model."""
        done = self.run_program("import", "--json", address, *words, **environment)
        said = json.loads(done.stdout)
        self.assertTrue(said["ok"], done.stdout)
        self.assertEqual(said["parameters"], PARAMETERS)
        return said

    def refused(self, address, *words, **environment):
        done = self.run_program("estimate", "--config", address, "--device", "h100-80-sxm", *words, **environment)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        return done.stderr

    def test_repository(self):
        self.read("hf:owner/llama")
        self.read("hf:owner/llama@v2")
        self.read("hf:owner/moved")
        self.assertEqual([path for path, _ in self.hub.asked], ["/owner/llama/resolve/main/config.json", "/owner/llama/resolve/v2/config.json",
                                                                "/owner/moved/resolve/main/config.json", "/owner/llama/resolve/main/config.json"])

    def test_wherever_a_model_is_named(self):
        beside = self.folder / "config.json"
        beside.write_text(json.dumps(json.loads(self.hub_config())))
        expected = self.run_program("estimate", "--json", "--config", str(beside), "--device", "h100-80-sxm", "--tensor-parallel", "4").stdout
        self.assertTrue(json.loads(expected)["ok"])
        for words in (["--config", "hf:owner/llama"], ["hf:owner/llama"], ["--model", "hf:owner/llama"], ["model=hf:owner/llama"]):
            done = self.run_program("estimate", "--json", *words, "--device", "h100-80-sxm", "--tensor-parallel", "4")
            self.assertEqual(done.stdout, expected, words)
        changed = self.run_program("estimate", "--json", "--model", "hf:owner/llama", "--device", "h100-80-sxm", "--kv-heads", "16").stdout
        self.assertEqual(json.loads(changed)["scenario"]["kv_heads"], 16)

    def hub_config(self):
        from hub import CONFIG

        return CONFIG

    def test_only_headers_of_weights(self):
        self.read("hf:owner/llama/model.safetensors")
        self.assertGreater(len(self.storage.asked), 1)    # the header is longer than the first part
        self.assertLess(self.storage.sent, 300_000)
        self.assertGreater(WEIGHTS_SIZE, 140_000_000_000)

    def test_server_without_ranges(self):
        self.read("hf:owner/everything/model.safetensors")
        self.assertLess(self.hub.sent, 64 << 20)

    def test_token_goes_to_the_hub_alone(self):
        self.read("hf:owner/gated", HF_TOKEN=TOKEN)
        self.read("hf:owner/llama/model.safetensors", HF_TOKEN=TOKEN)
        self.assertTrue(all(headers.get("Authorization") == f"Bearer {TOKEN}" for _, headers in self.hub.asked))
        self.assertTrue(self.storage.asked and not any("Authorization" in headers for _, headers in self.storage.asked))
        self.refused(f"{self.hub.url}/owner/gated/resolve/main/config.json", HF_TOKEN=TOKEN)
        self.assertNotIn("Authorization", self.hub.asked[-1][1])

    def test_refusals_say_why_and_what_to_do(self):
        self.assertIn("401", self.refused("hf:owner/gated"))
        self.assertIn("set HF_TOKEN", self.refused("hf:owner/gated"))
        self.assertIn("accept the model's terms", self.refused("hf:owner/gated", HF_TOKEN="hf_other"))
        self.assertIn("FILE.gguf", self.refused("hf:owner/nothing"))
        self.assertIn("500", self.refused("hf:owner/broken"))
        self.assertIn("ended before all of it was sent", self.refused("hf:owner/cut"))
        self.assertIn("names no file of the hub", self.refused("hf:owner/../secret"))
        self.assertIn("cannot be reached", self.refused("hf:owner/llama", HF_ENDPOINT="http://127.0.0.1:9"))

    def test_slow_server(self):
        start = time.monotonic()
        self.assertIn("took longer than 1 s", self.refused("hf:owner/slow", HF_HUB_DOWNLOAD_TIMEOUT="1"))
        self.assertLess(time.monotonic() - start, 15)

    def test_cache(self):
        self.assertIn("was not fetched before", self.refused("hf:owner/llama", "--offline"))
        self.assertEqual(self.hub.asked, [])
        self.read("hf:owner/llama")
        sent = self.hub.sent
        self.read("hf:owner/llama")
        self.assertEqual((len(self.hub.asked), self.hub.sent), (2, sent))    # asked whether it changed
        self.hub.version = 2
        self.read("hf:owner/llama")
        self.assertGreater(self.hub.sent, sent)
        count = len(self.hub.asked)
        self.read("hf:owner/llama", "--offline")
        self.read("hf:owner/llama", HF_HUB_OFFLINE="1")
        self.assertEqual(len(self.hub.asked), count)
        self.read(f"hf:owner/llama@{COMMIT}")
        self.read(f"hf:owner/llama@{COMMIT}")
        self.assertEqual(len(self.hub.asked), count + 1)    # a commit never changes

    def test_broken_cache(self):
        self.read("hf:owner/llama")
        (kept,) = (self.folder / "cache").iterdir()
        kept.write_bytes(kept.read_bytes()[:-10])
        self.read("hf:owner/llama")
        kept.write_text("nonsense")
        self.assertIn("was not fetched before", self.refused("hf:owner/llama", "--offline"))
        self.read("hf:owner/llama", PLIMSOLL_CACHE="/proc/nowhere")

    def test_https(self):
        certificate, key = self.folder / "certificate.pem", self.folder / "key.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
                        "-keyout", key, "-out", certificate], check=True, capture_output=True)
        server = Server(storage, (certificate, key))
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        address = f"{server.url}/files/model.safetensors?download=true"
        self.read(address, CURL_CA_BUNDLE=str(certificate))
        self.read(address, SSL_CERT_FILE=str(certificate), PLIMSOLL_CACHE=str(self.folder / "other"))
        self.assertIn("cannot be fetched", self.refused(address, PLIMSOLL_CACHE=str(self.folder / "third")))


if __name__ == "__main__":
    unittest.main()
