import type { Workspace } from './workspaces.ts'

/**
 * Allowed imports between workspaces: docs/architecture.md, "Direction". .oxlintrc.json repeats them with a message for
 * each; package.json lists them; arrows.test.ts keeps all three consistent.
 */
export const ARROWS: Readonly<Record<string, readonly string[]>> = {
  model: [],
  diagram: ['model'],
  sql: ['model'],
  formats: ['sql', 'model'],
  server: ['formats', 'sql', 'model'],
  web: ['diagram', 'model'],
  instance: ['formats', 'sql', 'model'],
  cli: ['formats', 'sql', 'model'],
  testing: [],
  journeys: ['testing', 'formats', 'model'],
  bench: ['testing', 'diagram', 'formats', 'sql', 'model'],
  limits: ['testing', 'diagram', 'formats', 'sql', 'model'],
}

export interface SourceImports {
  /** Path from the repository's root. */
  readonly file: string
  readonly imports: readonly string[]
}

const SCOPE = '@cadmus/'
/** Files that are not part of the product may use development dependencies. */
const TEST_FILE = /\.test\.tsx?$|\.config\.ts$|\/testing\/|^(testing|journeys|bench|limits)\//

/** Import specifiers of a source: static, dynamic, re-exports and type imports. */
export function importsOf(source: string): string[] {
  // A text may contain 'from "somebody"' as well.
  const pattern = /(?:\}\s*from\s+|^\s*(?:import|export)\b[^'"\n]*\bfrom\s+|\bimport\s*\(?\s*)(['"])([\w@./:~-]+)\1/gm
  return [...withoutComments(source).matchAll(pattern)].flatMap(match => match[2] ?? [])
}

/** Dependencies in package.json that violate the import directions. */
export function manifestProblems({ name, folder, dependencies, devDependencies }: Workspace): string[] {
  const allowed = ARROWS[name]
  if (allowed === undefined) return [`${folder} has no arrow: add it to docs/architecture.md and scripts/arrows.ts.`]
  return [
    ...inScope(dependencies).filter(target => !allowed.includes(target)),
    ...inScope(devDependencies).filter(target => !allowed.includes(target) && target !== 'testing'),
  ].map(target => `${folder}/package.json may not list ${SCOPE}${target}.`)
}

/** Imports of a source that violate the import directions or are missing in package.json. */
export function importProblems(workspace: Workspace, { file, imports }: SourceImports): string[] {
  const isTest = TEST_FILE.test(file)
  const allowed = [...(ARROWS[workspace.name] ?? []), ...(isTest ? ['testing', workspace.name] : [])]
  const listed = [...workspace.dependencies, ...(isTest ? workspace.devDependencies : [])]
  const foreign = inScope(imports.map(packageOf)).filter(target => !allowed.includes(target))
  const unlisted = imports
    .map(packageOf)
    .filter(target => isPackage(target) && !target.startsWith(SCOPE) && !listed.includes(target))
    .filter(target => !isTest || !['vitest', 'fast-check'].includes(target))
  const builders = isTest
    ? []
    : imports.filter(target => /^\.\.?\/(.*\/)?testing\/|^@cadmus\/\w+\/testing\//.test(target))
  // Limits measure the apps from within, which no package could export.
  const outside =
    workspace.name === 'limits'
      ? []
      : imports.filter(target => target.startsWith('.') && leaves(workspace.folder, file, target))
  return [
    ...foreign.map(target => `${file} may not import ${SCOPE}${target}.`),
    ...unlisted.map(target => `${file} imports ${target}, which ${workspace.folder}/package.json does not list.`),
    ...builders.map(target => `${file} imports what is for tests only: ${target}.`),
    ...outside.map(target => `${file} reaches out of its workspace: ${target}.`),
    ...featureProblems(file, imports),
  ]
}

/**
 * Imports that lead from a file back to itself, each as `a.ts → b.ts → a.ts`; type imports and dynamic imports count.
 * Follows relative imports only, because the directions exclude cycles between workspaces.
 */
export function importCycles(sources: readonly SourceImports[]): string[] {
  const importsOfFile = new Map(sources.map(({ file, imports }) => [file, imports]))
  const visited = new Set<string>()
  const cyclesFrom = (file: string, path: readonly string[]): string[] => {
    const start = path.indexOf(file)
    if (start >= 0) return [[...path.slice(start), file].join(' → ')]
    if (visited.has(file)) return []
    visited.add(file)
    return (importsOfFile.get(file) ?? [])
      .filter(target => target.startsWith('.'))
      .flatMap(target => cyclesFrom(resolvePath(file, target), [...path, file]))
  }
  return sources.flatMap(({ file }) => cyclesFrom(file, []))
}

/** Features of the web app must not import each other, also not by a folder that they share. */
function featureProblems(file: string, imports: readonly string[]): string[] {
  const own = featureOf(file)
  if (own === undefined && (!isShared(file) || TEST_FILE.test(file))) return []
  return imports
    .filter(target => target.startsWith('.'))
    .filter(target => ![own, undefined].includes(featureOf(resolvePath(file, target))))
    .map(target => `${file} imports ${own === undefined ? 'a' : 'another'} feature: ${target}.`)
}

/** Whether a file of the web app is in a folder, beside those that assemble the features. */
function isShared(path: string): boolean {
  return /^apps\/web\/src\/[^/]+\//.test(path)
}

function featureOf(path: string): string | undefined {
  return /^apps\/web\/src\/features\/([^/]+)\//.exec(path)?.[1]
}

function inScope(names: readonly string[]): string[] {
  return names.filter(name => name.startsWith(SCOPE)).map(name => name.slice(SCOPE.length).split('/')[0] ?? '')
}

function isPackage(name: string): boolean {
  return !name.startsWith('.') && !name.startsWith('/') && !name.startsWith('node:') && !name.startsWith('data:')
}

/** `@scope/name/file` → `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function leaves(folder: string, file: string, target: string): boolean {
  return !`${resolvePath(file, target)}/`.startsWith(`${folder}/`)
}

function resolvePath(file: string, target: string): string {
  return new URL(target, `file:///${file}`).pathname.slice(1)
}

/** Removes comments but not strings; sufficient for formatted sources. */
function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}
