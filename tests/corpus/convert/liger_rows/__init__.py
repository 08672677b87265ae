"""Kernels that Liger-Kernel measures, where the estimate has a formula for them."""
