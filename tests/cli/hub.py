"""A server that behaves like the Hugging Face hub, and one that it points on to, with files far larger than what is ever sent of them."""

import json
import ssl
import struct
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LLAMA = {
    "model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 8192, "intermediate_size": 28672, "num_hidden_layers": 80, "num_attention_heads": 64,
    "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 8192, "rms_norm_eps": 1e-5, "tie_word_embeddings": False, "torch_dtype": "bfloat16",
}
PARAMETERS = 70_553_706_496
COMMIT = "0123456789abcdef0123456789abcdef01234567"
TOKEN = "hf_good"


def safetensors():
    """The header of Llama 3 70B in one file, and that file's size."""
    hidden, inner, kv, vocab = 8192, 28672, 1024, 128256
    shapes = {"model.embed_tokens": [vocab, hidden], "model.norm": [hidden], "lm_head": [vocab, hidden]}
    for layer in range(80):
        for name, shape in (("input_layernorm", [hidden]), ("post_attention_layernorm", [hidden]), ("self_attn.q_proj", [hidden, hidden]), ("self_attn.k_proj", [kv, hidden]),
                            ("self_attn.v_proj", [kv, hidden]), ("self_attn.o_proj", [hidden, hidden]), ("mlp.gate_proj", [inner, hidden]), ("mlp.up_proj", [inner, hidden]),
                            ("mlp.down_proj", [hidden, inner])):
            shapes[f"model.layers.{layer}.{name}"] = shape
    entries, at = {}, 0
    for name, shape in shapes.items():
        end = at + 2 * shape[0] * (shape[1] if len(shape) > 1 else 1)
        entries[f"{name}.weight"] = {"dtype": "BF16", "shape": shape, "data_offsets": [at, end]}
        at = end
    header = json.dumps(entries).encode()
    return struct.pack("<Q", len(header)) + header, 8 + len(header) + at


WEIGHTS, WEIGHTS_SIZE = safetensors()
CONFIG = json.dumps(LLAMA, indent=2).encode()


class Site(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.server.asked.append((self.path, dict(self.headers)))
        self.close_connection = True
        try:
            self.server.answer(self)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def say(self, status, headers=(), body=b""):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if not any(name == "Content-Length" for name, _ in headers):
            self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.send(body)

    def send(self, body):
        self.wfile.write(body)
        self.server.sent += len(body)

    def part(self, start, size, etag):
        """The range that is asked for of a file that begins so."""
        if self.headers.get("If-None-Match") == etag:
            return self.say(304, [("ETag", etag)])
        first, last = (int(number) for number in self.headers["Range"].removeprefix("bytes=").split("-"))
        last = min(last, size - 1)
        body = start[first : last + 1].ljust(last + 1 - first, b"\0")
        return self.say(206, [("ETag", etag), ("Content-Range", f"bytes {first}-{last}/{size}")], body)


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, answer, certificate=None):
        super().__init__(("127.0.0.1", 0), Site)
        self.answer, self.asked, self.sent = answer, [], 0
        self.scheme = "https" if certificate else "http"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self.socket = context.wrap_socket(self.socket, server_side=True)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"{self.scheme}://127.0.0.1:{self.server_port}"

    def handle_error(self, *_):
        """A client that trusts nobody ends the connection."""


def storage(site):
    """Where weights lie."""
    site.part(WEIGHTS, WEIGHTS_SIZE, '"weights"')


def hub(elsewhere):
    """What the hub answers; weights are elsewhere."""
    def answer(site):
        path, sent_token = site.path.split("?")[0], site.headers.get("Authorization", "").removeprefix("Bearer ")
        _, owner, name, _, revision, file = path.split("/", 5)
        if name == "gated" and sent_token != TOKEN:
            return site.say(403 if sent_token else 401, [("X-Error-Code", "GatedRepo")], b"Access to this is restricted.")
        if name == "moved":
            return site.say(307, [("Location", f"/{owner}/llama/resolve/{revision}/{file}")])
        if name == "broken":
            return site.say(500)
        if name == "slow":
            time.sleep(30)
        if name == "cut":
            return site.say(200, [("Content-Length", str(len(CONFIG)))], CONFIG[:100])
        if name == "everything":    # no ranges: it sends what there is, until nobody takes it
            site.say(200, [("Content-Length", str(WEIGHTS_SIZE)), ("ETag", '"e"')], WEIGHTS)
            for _ in range(10_000):
                site.send(bytes(1 << 20))
            return None
        if file == "config.json" and revision in ("main", "v2", COMMIT) and name in ("llama", "gated"):
            return site.part(CONFIG, len(CONFIG), f'"config-{site.server.version}"')
        if file == "model.safetensors" and name == "llama":
            return site.say(302, [("Location", f"{elsewhere.url}/blob?signature=1"), ("X-Linked-Size", str(WEIGHTS_SIZE))])
        return site.say(404, [("X-Error-Code", "EntryNotFound")], b"Entry not found")

    server = Server(answer)
    server.version = 1
    return server
