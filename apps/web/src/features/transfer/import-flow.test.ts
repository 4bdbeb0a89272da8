import { expect, it } from 'vitest'
import {
  hasEntered,
  longPaste,
  nextImportDialog,
  openImportDialog,
  type ImportDialog,
  type ImportDialogEvent,
  upload,
  whyBlocked,
} from './import-flow.ts'

const after = (...events: ImportDialogEvent[]) => events.reduce<ImportDialog>(nextImportDialog, openImportDialog())

it('imports a manifest as a CDM schema until another kind is chosen', () => {
  expect(openImportDialog()).toEqual({
    step: 1,
    kind: 'manifest',
    importAs: 'CDM_SCHEMA',
    database: null,
    target: null,
    file: null,
    pasted: '',
    roots: [],
    root: null,
  })
  const chosen = after({ type: 'importAs', importAs: 'DATABASE_STRUCTURE' }, { type: 'next' }, { type: 'back' })
  expect(chosen).toMatchObject({ step: 1, importAs: 'DATABASE_STRUCTURE' })
  expect(hasEntered(chosen, openImportDialog())).toBe(false)
  const file = after({ type: 'next' }, { type: 'file', file: new File(['x'], 'a.zip') })
  expect(hasEntered(file, openImportDialog())).toBe(true)
})

it('keeps the chosen zip when its kind changes, and drops it when an entity is imported', () => {
  const file = new File(['x'], 'a.zip')
  const chosen = after({ type: 'next' }, { type: 'file', file })
  expect([whyBlocked(after({ type: 'next' })), whyBlocked(chosen)]).toEqual(['Choose a .zip file.', undefined])
  const turned = nextImportDialog(chosen, { type: 'importAs', importAs: 'DATABASE_STRUCTURE' })
  expect(turned.file).toBe(file)
  expect(nextImportDialog(turned, { type: 'kind', kind: 'entity' }).file).toBeNull()
})

it('imports SQL from a file of any of its endings, or from pasted text, and other kinds from a zip only', () => {
  const sql: ImportDialogEvent[] = [{ type: 'importAs', importAs: 'DATABASE_STRUCTURE' }, { type: 'next' }]
  expect(whyBlocked(after(...sql))).toBe('Choose a .zip, .sql, .ddl, .txt, .dump or .gz file, or paste a script.')
  const script: ImportDialogEvent = { type: 'file', file: new File(['x'], 'A.SQL.GZ') }
  expect(whyBlocked(after(...sql, script))).toBeUndefined()
  expect(whyBlocked(after({ type: 'next' }, script))).toBe('Choose a .zip file.')
  const pasted: ImportDialogEvent = { type: 'paste', pasted: 'CREATE TABLE a (b int);' }
  expect(whyBlocked(after(...sql, { type: 'paste', pasted: ' ' }))).toBeDefined()
  expect(whyBlocked(after(...sql, pasted))).toBeUndefined()
  expect(upload(after(...sql, pasted))?.name).toBe('pasted.sql')
  expect(hasEntered(after(...sql, pasted), openImportDialog())).toBe(true)
  expect(upload(after({ type: 'next' }, pasted))).toBeNull()
  expect(longPaste('CREATE TABLE a (b int);')).toBeNull()
  expect(longPaste('x'.repeat(20_001))).toMatchObject({ type: 'file', file: { name: 'pasted.sql', size: 20_001 } })
})

it('the import uses the first of several root manifests until another is chosen, and none of a new file', () => {
  const file = new File(['x'], 'a.zip')
  const roots = ['a.2.0.manifest.cdm.json', 'a.1.0.manifest.cdm.json']
  const offered = after({ type: 'next' }, { type: 'file', file }, { type: 'roots', roots })
  expect(offered).toMatchObject({ file, roots, root: roots[0] })
  expect(whyBlocked(offered)).toBeUndefined()
  const chosen = nextImportDialog(offered, { type: 'root', root: 'a.1.0.manifest.cdm.json' })
  expect(chosen.root).toBe('a.1.0.manifest.cdm.json')
  const events: ImportDialogEvent[] = [
    { type: 'file', file: new File(['y'], 'b.zip') },
    { type: 'importAs', importAs: 'DATABASE_STRUCTURE' },
    { type: 'kind', kind: 'entity' },
  ]
  for (const event of events) expect(nextImportDialog(chosen, event)).toMatchObject({ roots: [], root: null })
})
