// What one process holds, from its tensors to all that nvidia-smi shows, and why that may come out otherwise.

/** Four numbers that are all called memory, each at least as large as the one before. */
export interface MemoryNumbers {
  rank: number;
  /** Bytes of tensors. */
  requested: MemoryRange;
  /** Of the blocks that hold them: torch.cuda.max_memory_allocated(). */
  allocated: MemoryRange;
  /** Of the segments that the allocator took from the driver: torch.cuda.max_memory_reserved(). */
  reserved: MemoryRange;
  /** And driver context and communicators: what nvidia-smi shows. */
  process: MemoryRange;
  usable_bytes: number;
  headroom_bytes: number;
  headroom_text: string;
  /** Whether the expected process is within usable_bytes, without what the driver can move to the host. */
  fits: boolean;
  /** Whether the allocator has to give cached blocks back: reserved and process are what is left then, here or where it would fit. */
  returns_cache: boolean;
  /** Whether usable_bytes lies inside the range of the process: it may turn out either way. */
  tight: boolean;
  /** Why the process may take less or more: the widest reason first, none without width. */
  uncertainties: Uncertainty[];
}

export interface MemoryRange {
  /** Of the number, e.g. "Reserved". */
  label: string;
  /** One sentence: what is counted, and who shows it. */
  about: string;
  expected_bytes: number;
  low_bytes: number;
  high_bytes: number;
  text: string;
  low_text: string;
  high_text: string;
  /** "58.3 to 63.9 GiB"; one amount where both ends read the same. */
  range_text: string;
}

export interface Uncertainty {
  id: string;
  label: string;
  /** By which the process may be smaller; at least 0. */
  less_bytes: number;
  /** By which it may be larger; at least 0. */
  more_bytes: number;
  /** With their signs, e.g. "-528 MiB" and "+1.31 GiB"; "0 B" for none. */
  less_text: string;
  more_text: string;
  citation: string | null;
  basis: 'counted' | 'published' | 'measured' | 'assumed';
}
