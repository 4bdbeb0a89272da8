/** The parts of package-lock.json that are checked. */
export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

export interface LockedPackage {
  readonly version?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const FREE = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'Zlib',
  // Fonts.
  'OFL-1.1',
])
/** Allowed for development only: weak copyleft on files, texts and data. */
const FREE_FOR_DEVELOPMENT = new Set([...FREE, 'MPL-2.0', 'Python-2.0', 'PSF-2.0', 'CC-BY-4.0'])

const PRODUCT = /^(packages|apps)\//

/**
 * Reports optional platform packages missing in the lock, which make `npm ci` fail on another platform, and addresses
 * that bind the lock to a registry.
 */
export function lockProblems(lock: Lock): string[] {
  return Object.entries(lock.packages).flatMap(([path, entry]) => [
    ...Object.keys(entry.optionalDependencies ?? {})
      .filter(name => resolve(lock, path, name) === undefined)
      .map(name => `${path} may need ${name}, which package-lock.json does not list.`),
    ...(/^[a-z+]+:\/\//.test(entry.resolved ?? '') ? [`${path} names a registry: ${entry.resolved}.`] : []),
  ])
}

/** Dependencies whose licence is not compatible with an MIT product. */
export function foreignLicences(lock: Lock): string[] {
  const delivered = deliveredPackages(lock)
  return Object.entries(lock.packages)
    .filter(([path, entry]) => path.includes('node_modules/') && !entry.link)
    .filter(([path, entry]) => !isFree(entry.license, delivered.has(path) ? FREE : FREE_FOR_DEVELOPMENT))
    .map(([path, entry]) => `${path} is under ${entry.license ?? 'no licence that the lock names'}.`)
}

/** Direct and indirect runtime dependencies of the packages and apps. */
function deliveredPackages(lock: Lock): Set<string> {
  const delivered = new Set<string>()
  const queue = Object.keys(lock.packages).filter(path => PRODUCT.test(path))
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const entry = lock.packages[path]
    for (const name of Object.keys({ ...entry?.dependencies, ...entry?.optionalDependencies })) {
      const target = resolve(lock, path, name)
      if (target === undefined || delivered.has(target)) continue
      delivered.add(target)
      queue.push(target)
    }
  }
  return delivered
}

/** Resolves `name` from the package at `path` like Node: the nearest node_modules upwards. */
function resolve(lock: Lock, path: string, name: string): string | undefined {
  const parts = path.split('/')
  for (let length = parts.length; length >= 0; length -= 1) {
    const candidate = [...parts.slice(0, length), 'node_modules', name].join('/')
    if (lock.packages[candidate] !== undefined) return candidate
  }
  return undefined
}

/** Evaluates an SPDX expression of one level: "(MIT OR GPL-2.0)", "MIT AND ISC". */
function isFree(licence: string | undefined, free: ReadonlySet<string>): boolean {
  const words = (licence ?? '').replace(/[()]/g, '')
  if (words.includes(' AND ')) return words.split(' AND ').every(word => free.has(word.trim()))
  return words.split(' OR ').some(word => free.has(word.trim()))
}
