import { spawnSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Availability } from './availability.ts'
import { removeFolder, temporaryFolder } from './temporary.ts'

export interface SmallDisk {
  readonly folder: string
  /** Fills the disk except for the given number of bytes. */
  fill(remaining?: number): void
  /** Frees the space taken by `fill`. */
  clear(): void
  remove(): void
}

let mountable: boolean | undefined

export function smallDiskAvailability(): Availability {
  mountable ??= canMount()
  return {
    present: mountable,
    advice: mountable ? '' : 'A disk in memory cannot be mounted here: run as root on Linux.',
  }
}

/** A folder on a separate disk of the given size in bytes. */
export function makeSmallDisk(bytes: number): SmallDisk {
  const folder = temporaryFolder('disk')
  const mounted = mount(folder, bytes)
  if (!mounted) throw new Error(smallDiskAvailability().advice)
  const ballast = join(folder, 'ballast')
  process.once('exit', () => unmount(folder))
  return {
    folder,
    fill(remaining = 0) {
      const { bavail, bsize } = statfsSync(folder)
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - remaining)))
    },
    clear: () => rmSync(ballast, { force: true }),
    remove() {
      unmount(folder)
      removeFolder(folder)
    },
  }
}

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const folder = temporaryFolder('disk')
  const mounted = mount(folder, 65_536)
  if (mounted) unmount(folder)
  removeFolder(folder)
  return mounted
}

function mount(folder: string, bytes: number): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]).status === 0
}

function unmount(folder: string): void {
  spawnSync('umount', ['--lazy', folder])
}
