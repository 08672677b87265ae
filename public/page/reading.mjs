// One model file at a time is being read: shown when it takes long, ended by the reader or by the next file.

const shown_after_ms = 300; // most headers are read before anybody could press anything

/** `import_file`: the core's; `notice`: where the state is shown; `on_read(answer, name)`: it has been read, well or not. */
export function open_reading({ import_file, notice, on_read }) {
  let current = null;

  const read = async (source, name) => {
    current?.abort();
    const reading = new AbortController();
    current = reading;
    let progress = null;
    let update = () => {}; // until the card is there
    const timer = setTimeout(() => {
      update = notice.of_progress(name, () => reading.abort());
      update(progress);
    }, shown_after_ms);
    const on_progress = (step) => {
      progress = step;
      if (current === reading) update(step);
    };
    try {
      const options = source instanceof Blob ? {} : { name };
      const answer = await import_file(source, { ...options, signal: reading.signal, on_progress });
      if (current === reading) on_read(answer, name);
    } catch (reason) {
      if (!reading.signal.aborted) throw reason;
      if (current === reading) notice.of_fault(`Reading ${name} was cancelled.`, 'The estimate is unchanged.');
    } finally {
      clearTimeout(timer);
      if (current === reading) current = null;
    }
  };
  return { read };
}
