/** Converts a name to a file name that is valid on every file system. */
export function fileStem(name: string, fallback: string): string {
  const stem = name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, 120)
  return /[A-Za-z0-9]/.test(stem) ? stem : fallback
}
