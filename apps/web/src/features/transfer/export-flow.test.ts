import type { ProblemAnswer } from '@cadmus/model/contract/problem'
import { describe, expect, it } from 'vitest'
import { nextExportDialog, type ExportDialog, type ExportDialogEvent } from './export-flow.ts'
import { problemsFor, problemSections } from './problem-groups.ts'

const shop = { kind: 'manifest' as const, id: 1, uid: 'm', name: 'Shop' }
const entity = (id: number, path: string) => ({ kind: 'entity' as const, id, uid: `e${id}`, name: 'Order', path })

function problem(given: Partial<ProblemAnswer>): ProblemAnswer {
  return { severity: 'warning', code: 'any', message: 'Something.', path: [shop], ...given }
}

describe('what a validation found', () => {
  it('stands by severity and by entity, namesakes apart, each with the way to its row', () => {
    const key = { kind: 'entityAttribute' as const, uid: 'k', name: 'customerId' }
    const problems = [
      problem({ message: 'w1', path: [shop, entity(2, 'sales/Order'), key] }),
      problem({ message: 'e1', severity: 'error', path: [shop, entity(3, 'army/Order')] }),
      problem({ message: 'w2', path: [shop, entity(3, 'army/Order')] }),
      problem({ message: 'w3', path: [shop, entity(2, 'sales/Order')] }),
      problem({ message: 'w4' }),
    ]
    const [errors, warnings] = problemSections(problems, 100)
    expect([errors?.severity, errors?.count, warnings?.severity, warnings?.count]).toEqual(['error', 1, 'warning', 4])
    expect(warnings?.groups.map(({ document, lines }) => [document.path, lines.map(line => line.message)])).toEqual([
      ['sales/Order', ['w1', 'w3']],
      ['army/Order', ['w2']],
      ['Shop', ['w4']],
    ])
    expect(warnings?.groups[0]?.lines[0]).toMatchObject({
      name: 'customerId',
      place: { row: { kind: 'entityAttribute', uid: 'k' } },
    })
    expect(warnings?.groups[2]?.document).toMatchObject({ kind: 'manifest', id: 1 })
  })

  it('says how many there are where not all are shown, and only what concerns the database', () => {
    const many = Array.from({ length: 1000 }, (_, id) => problem({ path: [shop, entity(id, `x/${id}`)] }))
    const [section] = problemSections(many, 300)
    expect([section?.count, section?.hidden, section?.groups.length]).toEqual([1000, 700, 300])
    const some = [problem({ databases: ['oracle'] }), problem({})]
    expect(
      [problemsFor(some, 'mysql'), problemsFor(some, 'oracle'), problemsFor(some, null)].map(all => all.length),
    ).toEqual([1, 2, 2])
  })
})

describe('the export dialog', () => {
  const after = (...events: ExportDialogEvent[]) =>
    events.reduce<ExportDialog>(nextExportDialog, { step: 'validating' })
  const valid: ExportDialogEvent = { type: 'validated', message: '', problems: [], databaseTypes: ['mysql', 'hsql'] }

  it('M2.177 goes no further than an error, and offers the first database of the licence without one', () => {
    const problems = [problem({ severity: 'error', message: 'No.' })]
    const refused = after({ type: 'validated', message: 'No.', problems, databaseTypes: ['mysql'] }, { type: 'export' })
    expect(refused).toEqual({ step: 'refused', message: 'No.', problems })
    expect(after(valid)).toMatchObject({
      step: 'options',
      options: { databaseType: 'mysql', applyAutoIncrement: true },
    })
  })

  it('shows the script, goes back with what was chosen, and tells of a failure where it happened', () => {
    const script = { script: 'CREATE', notes: 0 }
    const shown = [valid, { type: 'databaseType', databaseType: 'hsql' }, { type: 'preview' }] as const
    expect(after(...shown)).toMatchObject({ working: 'preview', shown: null })
    expect(after(...shown, { type: 'previewed', script })).toMatchObject({ working: null, shown: script })
    expect(after(...shown, { type: 'previewed', script }, { type: 'back' })).toMatchObject({
      shown: null,
      options: { databaseType: 'hsql' },
    })
    expect(
      after(...shown, { type: 'previewed', script }, { type: 'export' }, { type: 'failed', message: 'Away.' }),
    ).toMatchObject({ shown: script, working: null, error: 'Away.' })
  })
})
