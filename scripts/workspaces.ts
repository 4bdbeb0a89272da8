import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './processes.ts'

export interface Workspace {
  /** Path from the repository's root, with slashes. */
  readonly folder: string
  /** Name without the scope: `model`. */
  readonly name: string
  readonly dependencies: readonly string[]
  readonly devDependencies: readonly string[]
}

interface Manifest {
  readonly name?: string
  readonly workspaces?: readonly string[]
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
}

export function workspaces(): Workspace[] {
  const patterns = readManifest('.').workspaces ?? []
  const folders = patterns.flatMap(pattern => (pattern.endsWith('/*') ? foldersIn(pattern.slice(0, -2)) : [pattern]))
  return folders.filter(folder => existsSync(join(ROOT, folder, 'package.json'))).map(readWorkspace)
}

function readWorkspace(folder: string): Workspace {
  const manifest = readManifest(folder)
  return {
    folder,
    name: (manifest.name ?? '').replace('@cadmus/', ''),
    dependencies: Object.keys(manifest.dependencies ?? {}),
    devDependencies: Object.keys(manifest.devDependencies ?? {}),
  }
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
}

function foldersIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder))
    .sort()
    .map(name => `${folder}/${name}`)
}
