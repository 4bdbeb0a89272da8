import { defaults, limits } from './limits.ts'

/** A semantic version (semver.org 2.0.0). Numbers are kept as text because they may exceed the range of numbers. */
export type Version = {
  major: string
  minor: string
  patch: string
  prerelease: readonly string[]
  build: readonly string[]
}

const number = '(0|[1-9]\\d*)'
const identifier = '(?:0|[1-9]\\d*|\\d*[A-Za-z-][\\dA-Za-z-]*)'
const pattern = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-(${identifier}(?:\\.${identifier})*))?(?:\\+([\\dA-Za-z-]+(?:\\.[\\dA-Za-z-]+)*))?$`,
)

export function parseVersion(text: string): Version | undefined {
  if (text.length > limits.version.max) return undefined
  const parts = pattern.exec(text)
  if (!parts) return undefined
  const [, major = '', minor = '', patch = '', prerelease = '', build = ''] = parts
  return { major, minor, patch, prerelease: splitDots(prerelease), build: splitDots(build) }
}

/** Negative if a is lower, positive if it is higher, 0 for equal rank (build metadata is ignored). Invalid versions rank lowest. */
export function compareVersions(a: string, b: string): number {
  return compareParsed(parseVersion(a), parseVersion(b))
}

/** Sorts items by version, highest first. */
export function highestFirst<T>(things: Iterable<T>, versionOf: (thing: T) => string): T[] {
  // Each version is parsed once, not once per comparison.
  return Array.from(things, thing => ({ thing, version: parseVersion(versionOf(thing)) }))
    .toSorted((a, b) => compareParsed(b.version, a.version))
    .map(({ thing }) => thing)
}

function compareParsed(left: Version | undefined, right: Version | undefined): number {
  if (!left || !right) return Number(left !== undefined) - Number(right !== undefined)
  return (
    compareNumbers(left.major, right.major) ||
    compareNumbers(left.minor, right.minor) ||
    compareNumbers(left.patch, right.patch) ||
    comparePrereleases(left.prerelease, right.prerelease)
  )
}

/** The highest version, undefined without one. */
export function latestVersion(versions: Iterable<string>): string | undefined {
  let latest: { text: string; version: Version | undefined } | undefined
  for (const text of versions) {
    const version = parseVersion(text)
    if (latest === undefined || compareParsed(version, latest.version) > 0) latest = { text, version }
  }
  return latest?.text
}

/** Default new version: the next patch of the highest one, 1.0.0 without one. */
export function nextPatch(versions: Iterable<string>): string {
  const latest = parseVersion(latestVersion(versions) ?? '')
  if (!latest) return defaults.version
  const { major, minor, patch, prerelease } = latest
  return prerelease.length > 0 ? `${major}.${minor}.${patch}` : `${major}.${minor}.${BigInt(patch) + 1n}`
}

/** The next major version of the highest one, for breaking changes; undefined without one. */
export function nextMajor(versions: Iterable<string>): string | undefined {
  const latest = parseVersion(latestVersion(versions) ?? '')
  return latest && `${BigInt(latest.major) + 1n}.0.0`
}

function splitDots(text: string): string[] {
  return text === '' ? [] : text.split('.')
}

/** Digits without leading zeros: the longer one is greater. */
function compareNumbers(a: string, b: string): number {
  return a.length - b.length || compareTexts(a, b)
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length
  for (const [index, left] of a.entries()) {
    const right = b[index]
    if (right === undefined) return 1
    const order = compareIdentifiers(left, right)
    if (order !== 0) return order
  }
  return a.length - b.length
}

function compareIdentifiers(a: string, b: string): number {
  const aIsNumber = /^\d+$/.test(a)
  const bIsNumber = /^\d+$/.test(b)
  if (aIsNumber && bIsNumber) return compareNumbers(a, b)
  if (aIsNumber || bIsNumber) return aIsNumber ? -1 : 1
  return compareTexts(a, b)
}
