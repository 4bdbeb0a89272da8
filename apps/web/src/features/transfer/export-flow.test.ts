import type { ProblemAnswer } from '@cadmus/model/contract/shared'
import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { nextExportDialog, optionsFault, type ExportDialog, type ExportDialogEvent } from './export-flow.ts'
import { problemsFor, problemSections } from '../../problems/problem-groups.ts'

const shop = { kind: 'manifest' as const, id: 1, uid: 'm', name: 'Shop' }
const entity = (id: number, path: string) => ({ kind: 'entity' as const, id, uid: `e${id}`, name: 'Order', path })

function problem(overrides: Partial<ProblemAnswer>): ProblemAnswer {
  return { severity: 'warning', code: 'any', message: 'Something.', path: [shop], ...overrides }
}

describe('the problems of a validation', () => {
  it('are grouped by severity and entity, tell equal names apart, and link to their rows', () => {
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

  it('link to the invalid part of a configuration', () => {
    const order = entity(3, 'shop/Order')
    const [errors] = problemSections(
      [
        problem({ severity: 'error', code: 'aggregateField', message: 'q' }),
        problem({ severity: 'error', code: 'exclusion', message: 'x' }),
        problem({ severity: 'error', code: 'scope', message: 's', path: [shop, order] }),
      ],
      10,
    )
    expect(
      errors?.groups.map(({ document, lines }) => [document.kind, document.name, lines.map(({ place }) => place)]),
    ).toEqual([
      ['configuration', 'Shop Configuration', [{ tab: 'queries' }, { tab: 'api' }]],
      ['entity', 'Order', [{}]],
    ])
  })

  it('show their total if not all are listed', () => {
    const many = Array.from({ length: 1000 }, (_, id) => problem({ path: [shop, entity(id, `x/${id}`)] }))
    const [section] = problemSections(many, 300)
    const [fold] = section?.folds ?? []
    expect([section?.count, fold?.count, fold?.hidden, fold?.groups.length]).toEqual([1000, 1000, 700, 300])
  })

  it('fold many of one code into a line with their number, the most frequent first, but never errors', () => {
    const column = (at: number) => ({ kind: 'typeAttribute' as const, uid: `a${at}`, name: `text${at}` })
    const repeat = (code: string, count: number, severity: ProblemAnswer['severity'] = 'note') =>
      Array.from({ length: count }, (_, at) =>
        problem({
          severity,
          code,
          message: `'text${at}' is odd.`,
          path: [shop, entity(at % 2, 'x/Order'), column(at)],
        }),
      )
    const [errors, notes] = problemSections(
      [
        ...repeat('jsonUnchecked', 5),
        ...repeat('unitsCounted', 12),
        ...repeat('renamed', 4),
        ...repeat('namesakes', 9, 'error'),
      ],
      10,
    )
    expect([errors?.folds, errors?.hidden, notes?.count]).toEqual([[], 0, 21])
    expect(notes?.folds.map(({ code, count, unit, hidden }) => [code, count, unit, hidden])).toEqual([
      ['unitsCounted', 12, 'columns', 2],
      ['jsonUnchecked', 5, 'columns', 0],
    ])
    expect(notes?.groups.flatMap(({ lines }) => lines).length).toBe(4)
    expect(notes?.folds[0]?.summary).toMatch(/UTF-16/)
    expect(notes?.folds[1]?.groups.map(({ lines }) => lines.map(({ name }) => name))).toEqual([
      ['text0', 'text2', 'text4'],
      ['text1', 'text3'],
    ])
    const entities = Array.from({ length: 5 }, (_, at) => problem({ code: 'strange', path: [shop, entity(at, 'x')] }))
    expect(problemSections(entities, 10)[0]?.folds).toMatchObject([{ unit: 'entities', summary: 'Something.' }])
  })

  it('are limited to those of the chosen database', () => {
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

  it(
    'stops at an error, validates again once it is resolved, else offers the first licensed database',
    holds('M2.177'),
    () => {
      const problems = [problem({ severity: 'error', message: 'No.' })]
      const refused = after(
        { type: 'validated', message: 'No.', problems, databaseTypes: ['mysql'] },
        { type: 'export' },
      )
      expect(refused).toEqual({ step: 'refused', message: 'No.', problems })
      expect(nextExportDialog(refused, { type: 'resolved' })).toEqual({ step: 'validating' })
      expect(after({ type: 'refused', message: 'Validation failed' })).toMatchObject({ step: 'refused', problems: [] })
      expect(after(valid)).toMatchObject({
        step: 'ready',
        options: { databaseType: 'mysql', applyAutoIncrement: true },
      })
    },
  )

  it('the export dialog shows the script, returns with the same options, and reports a failure in place', () => {
    const script = { script: 'CREATE', notes: 0 }
    const shown = [valid, { type: 'options', options: { databaseType: 'hsql' } }, { type: 'preview' }] as const
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

  it('the options of a script begin as configured; a preview of earlier options is not shown', () => {
    const configured = { ...valid, sqlExport: { naming: 'snake' } } as const
    const ready = after(configured)
    const changed = nextExportDialog(ready, { type: 'options', options: { sqlExport: { schema: '1a' } } })
    if (ready.step !== 'ready' || changed.step !== 'ready') throw new Error('The export is not ready.')
    expect([ready.options.sqlExport, optionsFault(ready.options)]).toEqual([{ naming: 'snake' }, undefined])
    expect(optionsFault(changed.options)).toMatch(/^Schema: This must contain only letters/)
    const lengthFault = (text: string) => optionsFault({ ...changed.options, sqlExport: { text } })
    expect(['unbounded', '1', '10000000'].map(lengthFault)).toEqual([undefined, undefined, undefined])
    for (const text of ['', '0', '07', '1.5', '10000001', 'many'])
      expect(lengthFault(text)).toMatch(/^Texts without Max Length: This must be a whole number from 1 to 10,000,000/)
    const script = { script: 'CREATE', notes: 0 }
    const late = nextExportDialog(
      { ...changed, working: 'preview' },
      { type: 'previewed', script, options: ready.options },
    )
    expect(late).toMatchObject({ working: null, shown: null })
    expect(nextExportDialog(changed, { type: 'previewed', script, options: changed.options })).toMatchObject({
      shown: script,
    })
  })

  it('the export dialog lists the notes of the valid manifest, and shows none if they are unknown', () => {
    expect(after(valid)).toMatchObject({ notes: 'loading' })
    const listed = [valid, { type: 'notes', notes: ['x'] }] as const
    expect(after(...listed, { type: 'export' })).toMatchObject({ notes: ['x'], working: 'export' })
    expect(after(valid, { type: 'notes', notes: null })).toMatchObject({ step: 'ready', notes: null })
    // A response about the manifest's earlier state.
    expect(after({ type: 'notes', notes: ['x'] })).toEqual({ step: 'validating' })
  })
})
