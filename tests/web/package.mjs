// The npm package as a reader gets it: packed, and installed from the tarball into an empty folder.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { at_end } from './endings.mjs';
import { must_exist, repository } from './support.mjs';

const execute = promisify(execFile);
export const run = (program, words, options) => execute(program, words, { timeout: 100_000, killSignal: 'SIGKILL', ...options });
const built = join(repository, process.env.PACKAGE ?? 'build/package');

/** A project whose only dependency is the package: {folder, files, remove}. It lies inside build/, where tools of the repository are found. */
export async function install_package() {
  must_exist(join(built, 'package.json'), 'assemble the site, as scripts/test does');
  await mkdir(join(repository, 'build'), { recursive: true });
  const folder = await mkdtemp(join(repository, 'build/project-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  at_end(remove);
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: built });
  const [{ filename, files }] = JSON.parse(stdout);
  await writeFile(join(folder, 'package.json'), '{ "name": "project", "private": true, "type": "module" }');
  await run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', `./${filename}`], { cwd: folder });
  return { folder, files: files.map(({ path }) => path), remove };
}

/** The package for agents in such a project, by npm's own tarball; what it depends on besides is found in the repository. Gives its folder and files. */
export async function add_agents_package({ folder }) {
  const built_mcp = join(repository, process.env.PACKAGE_MCP ?? 'build/package-mcp');
  must_exist(join(built_mcp, 'package.json'), 'assemble the site, as scripts/test does');
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: built_mcp });
  const [{ filename, files }] = JSON.parse(stdout);
  await run('tar', ['-xzf', filename], { cwd: folder });
  const at = join(folder, 'node_modules/plimsoll-mcp');
  await rename(join(folder, 'package'), at);
  return { at, files: files.map(({ path }) => path) };
}
