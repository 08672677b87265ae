"""What ran where: versions, GPU and driver. Every row carries it, for byte counts change with all of them."""

import importlib.metadata
import subprocess


def _version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _smi(fields):
    try:
        text = subprocess.run(["nvidia-smi", f"--query-gpu={fields}", "--format=csv,noheader,nounits"],
                              capture_output=True, text=True, timeout=30).stdout
        return [part.strip() for part in text.splitlines()[0].split(",")]
    except (OSError, IndexError, subprocess.SubprocessError):
        return None


def used_by_driver():
    """Bytes in use on the device as the driver counts, without making a context of our own."""
    answer = _smi("memory.used")
    return int(answer[0]) * 1024 * 1024 if answer else None


def describe():
    import torch
    properties = torch.cuda.get_device_properties(0)
    driver = _smi("driver_version")
    return {
        "framework": {"name": "transformers", "version": _version("transformers"), "torch": torch.__version__,
                      "cuda": torch.version.cuda, "cudnn": torch.backends.cudnn.version(),
                      "driver": driver[0] if driver else None, "peft": _version("peft"),
                      "accelerate": _version("accelerate"), "flash_attn": _version("flash_attn"),
                      "python": __import__("platform").python_version()},
        "gpu": {"name": properties.name, "total_bytes": properties.total_memory,
                "capability": f"{properties.major}.{properties.minor}",
                "multiprocessors": properties.multi_processor_count},
    }
