// src/components/Estimate.jsx: <Estimate model="llama-3-8b" device="rtx4090" batch="4" /> in any .mdx page, after `npm install plimsoll`.
import React, { useEffect } from 'react';

export default function Estimate({ children, ...fields }) {
  useEffect(() => { import('plimsoll/element'); }, []);
  return <plimsoll-estimate {...fields}>{children}</plimsoll-estimate>;
}
