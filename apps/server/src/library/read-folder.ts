import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

/** The documents of a folder tree by path; each is read on access. */
export type FolderFiles = {
  readonly size: number
  keys: () => Iterable<string>
  get: (path: string) => Uint8Array | undefined
}

export async function openFolder(folder: string): Promise<FolderFiles> {
  const paths = await pathsOf(folder)
  return {
    size: paths.size,
    keys: () => [...paths.keys()].toSorted(),
    get(path) {
      const file = paths.get(path)
      return file === undefined ? undefined : readFileSync(file)
    },
  }
}

/** Changes when a document is added, removed, renamed or edited. */
export async function hashOfFolder(folder: string): Promise<string> {
  const files = await pathsOf(folder)
  const hash = createHash('sha256')
  for (const path of [...files.keys()].toSorted()) {
    const content = await readFile(files.get(path) ?? path)
    hash.update(`${path}\n${content.byteLength}\n`).update(content)
  }
  return hash.digest('hex')
}

async function pathsOf(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = new Map<string, string>()
  for (const entry of entries) {
    if (!entry.isFile() || !entry.name.endsWith('.json')) continue
    const file = join(entry.parentPath, entry.name)
    paths.set(relative(folder, file).split(sep).join('/'), file)
  }
  return paths
}
