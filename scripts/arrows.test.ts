import { describe, expect, it } from 'vitest'
import { ARROWS, importCycles, importProblems, importsOf, manifestProblems, type SourceImports } from './arrows.ts'
import { programOf, runNode } from './processes.ts'
import { filesBelow, readSource } from './sources.ts'
import { type Workspace, workspaces } from './workspaces.ts'

const sql: Workspace = {
  folder: 'packages/sql',
  name: 'sql',
  dependencies: ['@cadmus/model'],
  devDependencies: ['@cadmus/testing'],
}

function sourcesBelow(folder: string): SourceImports[] {
  return filesBelow(folder, /\.tsx?$/).map(file => ({ file, imports: importsOf(readSource(file)) }))
}

describe('import directions', () => {
  it('match every package.json', () => {
    expect(workspaces().flatMap(manifestProblems)).toEqual([])
  })

  it('match every source file', () => {
    const problems = workspaces().flatMap(workspace =>
      sourcesBelow(workspace.folder).flatMap(source => importProblems(workspace, source)),
    )
    expect(problems).toEqual([])
  })

  it('lead from no source file back to itself, type imports included', () => {
    const folders = ['scripts', ...workspaces().map(({ folder }) => folder)]
    expect(importCycles(folders.flatMap(sourcesBelow))).toEqual([])
  })

  it('have no cycles between workspaces', () => {
    const reach = (name: string, path: string[]): string[] => [
      name,
      ...(ARROWS[name] ?? []).flatMap(next => (path.includes(next) ? ['loop'] : reach(next, [...path, next]))),
    ]
    expect(Object.keys(ARROWS).flatMap(name => reach(name, [name]))).not.toContain('loop')
  })
})

describe('the check of import directions', () => {
  it('detects static, dynamic, type and re-exporting imports, and ignores comments', () => {
    const source = `import type { A } from '@cadmus/a/x'
      import {
        b,
      } from "@cadmus/b/x"
      export * from './c.ts'
      import './d.css'
      // import e from 'e'
      const f = await import('f')
      const text = 'what it inherits from "somebody"'`
    expect(importsOf(source)).toEqual(['@cadmus/a/x', '@cadmus/b/x', './c.ts', './d.css', 'f'])
  })

  it.each([
    ['@cadmus/formats/archive', 'may not import @cadmus/formats'],
    ['@cadmus/testing/postgres', 'may not import @cadmus/testing'],
    ['kysely', 'does not list'],
    ['../../model/src/entity.ts', 'reaches out'],
    ['@cadmus/model/testing/an-entity', 'for tests only'],
  ])('rejects %s in packages/sql', (target, reason) => {
    const problems = importProblems(sql, { file: 'packages/sql/src/tables.ts', imports: [target] })
    expect(problems).toEqual([expect.stringContaining(reason)])
  })

  it('allows tests to use testing and vitest', () => {
    const imports = ['@cadmus/testing/postgres', '@cadmus/model/entity', 'vitest', './tables.ts', 'node:fs']
    expect(importProblems(sql, { file: 'packages/sql/src/tables.test.ts', imports })).toEqual([])
  })

  it('rejects a feature that imports another, and a shared folder that imports one', () => {
    const web: Workspace = { folder: 'apps/web', name: 'web', dependencies: ['react'], devDependencies: [] }
    const file = 'apps/web/src/features/entity/parts/row.tsx'
    const imports = ['../grid.tsx', '../../manifest/tree.tsx', '../../../ui/button.tsx', 'react']
    expect(importProblems(web, { file, imports })).toEqual([
      `${file} imports another feature: ../../manifest/tree.tsx.`,
    ])
    const shared = {
      file: 'apps/web/src/diagram/card.ts',
      imports: ['../features/entity/grid.tsx', '../ui/button.tsx'],
    }
    expect(importProblems(web, shared)).toEqual([`${shared.file} imports a feature: ../features/entity/grid.tsx.`])
    expect(importProblems(web, { ...shared, file: 'apps/web/src/diagram/card.test.ts' })).toEqual([])
    expect(
      importProblems(web, { file: 'apps/web/src/registrations.ts', imports: ['./features/entity/grid.tsx'] }),
    ).toEqual([])
  })

  it('detects cycles through type, dynamic and re-exporting imports', () => {
    const source = (file: string, ...lines: string[]) => ({ file, imports: importsOf(lines.join('\n')) })
    const cycles = importCycles([
      source('src/start.ts', "import { a } from './a.ts'", "import { c } from './parts/c.ts'"),
      source('src/a.ts', "import type { b } from './b.ts'"),
      source('src/b.ts', "export * from './parts/c.ts'", "import './missing.ts'"),
      source('src/parts/c.ts', "const a = import('../a.ts')", "import { d } from '@cadmus/model/d'"),
      source('src/self.ts', "import type { Self } from './self.ts'"),
    ])
    expect(cycles).toEqual(['src/a.ts → src/b.ts → src/parts/c.ts → src/a.ts', 'src/self.ts → src/self.ts'])
  })

  it('rejects a workspace with a forbidden dependency or without directions', () => {
    const web: Workspace = { folder: 'apps/web', name: 'web', dependencies: ['@cadmus/sql'], devDependencies: [] }
    expect(manifestProblems(web)).toEqual(['apps/web/package.json may not list @cadmus/sql.'])
    expect(manifestProblems({ ...web, folder: 'apps/new', name: 'new' })).toHaveLength(1)
  })
})

describe('the linter', () => {
  it('has the same directions for every package and app', async () => {
    const { output } = await runNode([programOf('oxlint'), '--print-config'])
    const config: { overrides: { files: string[]; rules: Record<string, unknown> }[] } = JSON.parse(output)
    for (const { folder, name } of workspaces().filter(({ folder }) => /^(packages|apps)\//.test(folder))) {
      const rules = config.overrides.filter(({ files }) => files.some(file => file.startsWith(`${folder}/src/**`)))
      const text = JSON.stringify(rules.map(override => override.rules['no-restricted-imports']))
      const forbidden = Object.keys(ARROWS).filter(other => other !== name && !ARROWS[name]?.includes(other))
      for (const other of forbidden)
        expect(text, `${folder} and ${other}`).toMatch(
          new RegExp(`@cadmus/(\\||\\([^)]*\\b${other}\\b)|\\^\\(@cadmus/`),
        )
    }
  })
})
