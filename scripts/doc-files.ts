import { basename } from 'node:path'

const NAMED = /`([\w./{},*-]*[\w}]\.(?:ts|tsx|js))`/g

/** Source files that a document names and the repository does not have. `present` are file names without folders. */
export function missingDocFiles(text: string, present: ReadonlySet<string>): string[] {
  return [...text.matchAll(NAMED)]
    .flatMap(([, path = '']) => expand(basename(path)))
    .filter(name => !name.includes('*') && !present.has(name))
}

/** `{a,b}.ts` → `a.ts`, `b.ts` */
function expand(name: string): string[] {
  const braces = /\{([^}]*)\}/.exec(name)
  if (braces === null) return [name]
  return (braces[1] ?? '').split(',').map(part => name.replace(braces[0], part))
}
