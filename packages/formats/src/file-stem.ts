/** Fit for every file system, also where the name came from a file and breaks the rules for names. */
export function fileStem(name: string, otherwise: string): string {
  const stem = name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, 120)
  return /[A-Za-z0-9]/.test(stem) ? stem : otherwise
}
