import assert from 'node:assert/strict';

/** The longest of what the page's thread did at a stretch while `act` ran, in milliseconds of its own time. */
export async function longest_task(page, act) {
  const client = await page.context().newCDPSession(page);
  const events = [];
  client.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const complete = new Promise((resolve) => client.once('Tracing.tracingComplete', resolve));
  await client.send('Tracing.start', { traceConfig: { includedCategories: ['toplevel'] }, transferMode: 'ReportEvents' });
  await act();
  await client.send('Tracing.end');
  await complete;
  await client.detach();
  const threads = new Set(events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = events.filter(({ name, pid, tid, tdur }) => name.endsWith('RunTask') && threads.has(`${pid} ${tid}`) && tdur > 0);
  assert.ok(tasks.length > 0, 'nothing was traced');
  return Math.max(...tasks.map(({ tdur }) => tdur)) / 1000;
}
