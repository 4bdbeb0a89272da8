import type { AffectedManifest, DependentItem, EntityImpact } from '@cadmus/model/contract/impact'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import { impactOfEdits } from '@cadmus/model/edits/edit-impact'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { questionStore } from '../workbench/confirm.ts'
import {
  breakingPart,
  confirmConfigurationImpact,
  confirmImpact,
  impactNote,
  impactParts,
  showImpact,
} from './impact.ts'

const home = 1
const none: EntityImpact = { references: [], totalReferences: 0, manifests: [], moreManifests: 0, moreEntities: 0 }
const rename: EntityEdit = { kind: 'changeAttributes', changes: [{ uid: 'tax', change: { name: 'taxId' } }] }
const changed = impactOfEdits([rename])

function manifestOf(fields: Partial<AffectedManifest> = {}): AffectedManifest {
  return {
    id: home,
    name: 'Clinic',
    path: 'user-defined/Clinic',
    packages: ['clinic'],
    database: 'postgresql',
    problems: [],
    schema: { steps: [{ grade: 'locks', entity: 'Patient', attribute: 'tax', text: 'tax is renamed.' }], refusals: [] },
    api: { isServed: true, breaks: ['Patient.tax was renamed to taxId.'], additions: [] },
    scopes: [],
    ...fields,
  }
}

function referenceOf(fields: Partial<DependentItem> = {}, attribute = 'tax'): DependentItem {
  return {
    kind: 'relationship',
    document: 'entity',
    id: 7,
    uid: 'visit',
    name: 'Visit',
    path: 'user-defined/Billing/Visit',
    item: 'patientTax',
    itemUid: 'patientTax',
    target: { id: 5, name: 'Patient', attribute: { uid: attribute, name: attribute } },
    manifests: [2],
    ...fields,
  }
}

function impactOf(fields: Partial<EntityImpact>): EntityImpact {
  return { ...none, ...fields, totalReferences: fields.references?.length ?? 0 }
}

it('a save asks about callers of published packages, but neither about other manifests nor about altered tables', () => {
  const unpublished = manifestOf({ packages: [] })
  expect(breakingPart(impactOf({ manifests: [unpublished] }), changed, home)).toBeNull()
  const harmless = manifestOf({ api: { isServed: true, breaks: [], additions: ['Patient.taxId is new.'] } })
  expect(breakingPart(impactOf({ manifests: [harmless] }), changed, home)).toBeNull()
  const breaking = breakingPart(impactOf({ manifests: [manifestOf(), unpublished] }), changed, home)
  expect(breaking?.manifests.map(({ packages, schema }) => [packages, schema.steps])).toEqual([[['clinic'], []]])
})

it.each<[string, Partial<AffectedManifest>]>([
  ['lost values', { schema: { steps: [{ grade: 'losesData', entity: 'P', attribute: '', text: 'x' }], refusals: [] } }],
  ['records that may refuse the change', { schema: { steps: [], refusals: ['tax must be unique.'] } }],
])('a save asks about %s of published packages', (_what, fields) => {
  const api = { isServed: false, breaks: [], additions: [] }
  expect(breakingPart(impactOf({ manifests: [manifestOf({ api, ...fields })] }), changed, home)).not.toBeNull()
})

it('a save asks about references to what changed from entities of other manifests', () => {
  const asks = (reference: DependentItem, edits: readonly EntityEdit[] = [rename], owner: number | null = home) =>
    breakingPart(impactOf({ references: [reference] }), impactOfEdits(edits), owner) !== null
  expect(asks(referenceOf())).toBe(true)
  expect(asks(referenceOf({}, 'city'))).toBe(false)
  expect(asks(referenceOf({}, 'city'), [{ kind: 'changeEntity', change: { name: 'Person' } }])).toBe(true)
  expect(asks(referenceOf({ kind: 'extends', target: { id: 5, name: 'Patient' } }))).toBe(true)
  expect(asks(referenceOf({ manifests: [home, 2] }))).toBe(false)
  expect(asks(referenceOf({ manifests: [] }))).toBe(false)
  expect(asks(referenceOf({ kind: 'aggregateQuery', document: 'manifest' }))).toBe(false)
  expect(asks(referenceOf(), [rename], null)).toBe(true)
})

it('the question names callers, data and references, each manifest with its packages', () => {
  const manifests = [manifestOf({ packages: ['a', 'b', 'c', 'd'] }), manifestOf({ name: 'Billing', packages: [] })]
  const { groups, affected, consequences } = impactParts({
    ...impactOf({ manifests, references: [referenceOf()] }),
    moreManifests: 2,
    totalReferences: 140,
  })
  expect(
    groups.map(({ heading, isDangerous, parts }) => [heading, isDangerous, parts.map(({ name }) => name)]),
  ).toEqual([
    ['Breaks callers', true, ['Clinic, published as a, b, c and others', 'Billing']],
    ['Alters tables', false, ['Clinic, published as a, b, c and others', 'Billing']],
  ])
  expect(affected?.links.map(({ document, note }) => [document.name, note])).toEqual([
    ['Visit', 'relationship patientTax to Patient.tax'],
  ])
  expect([affected?.heading, affected?.notes]).toEqual(['140 places refer to it', ['139 more places refer to it.']])
  expect(consequences).toEqual(['2 more manifests are not covered.'])
})

it('checks and groups are links of an attribute; the own ones are no dependents of the whole entity', async () => {
  const own = { kind: 'check' as const, id: 5, name: 'Patient', item: 'ck_tax', itemUid: 'c' }
  const inherited = { kind: 'group' as const, id: 8, name: 'Child', item: 'tax, city', itemUid: 'g' }
  answer(impactOf({ references: [referenceOf(), referenceOf(own), referenceOf(inherited)] }))
  const shownFor = async (column?: { uid: string; name: string }) => {
    const shown = showImpact(edited, column)
    await expect.poll(() => questionStore.getState().question?.affected?.links.length).toBeGreaterThan(0)
    const { question } = questionStore.getState()
    question?.answer('cancel')
    await shown
    return [question?.affected?.heading, question?.affected?.links.map(({ document, note }) => [document.name, note])]
  }
  const relationship = ['Visit', 'relationship patientTax to Patient.tax']
  const group = ['Child', 'group tax, city with tax']
  expect(await shownFor()).toEqual(['2 places refer to it', [relationship, group]])
  expect(await shownFor({ uid: 'tax', name: 'tax' })).toEqual([
    '3 places refer to it',
    [relationship, ['Patient', 'check ck_tax with tax'], group],
  ])
})

it('the note beside unsaved changes is one line, and empty without an impact', () => {
  expect(
    impactNote(impactOf({ manifests: [manifestOf()], references: [referenceOf(), referenceOf({}, 'city')] }), changed),
  ).toBe('Changes the API of Clinic (one break) · alters tables · used by one place in one manifest')
  expect(impactNote(impactOf({ references: [referenceOf()] }), changed)).toBe('Used by one place in one manifest')
  expect(impactNote(none, changed)).toBe('')
})

const edited = {
  id: 5,
  name: 'Patient',
  home,
  edits: [rename],
  scope: { organisation: 'ACME', role: 'designer' as const },
}
const calls: string[] = []
const answer = (impact: EntityImpact | null) =>
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    calls.push(`${url} ${String(body)}`)
    return new Response(JSON.stringify(impact ?? { message: 'Busy', code: 'busy' }), { status: impact ? 200 : 503 })
  })

beforeEach(() => void calls.splice(0))
afterEach(() => vi.unstubAllGlobals())

it('edits without impact are saved without a call, and an impact that is not known prevents no save', async () => {
  answer(null)
  const description: EntityEdit = { kind: 'changeEntity', change: { description: 'Ill' } }
  expect(await confirmImpact({ ...edited, edits: [description] })).toBe(true)
  expect(calls).toEqual([])
  expect(await confirmImpact(edited)).toBe(true)
  expect(calls).toEqual([`/1.0/cdm/entity/5/impact ${JSON.stringify({ edits: [rename] })}`])
  answer(impactOf({ manifests: [manifestOf({ packages: [] })] }))
  expect(await confirmImpact(edited)).toBe(true)
})

it.each([
  ['confirm', true],
  ['cancel', false],
] as const)('after a breaking change, %s resolves to %s', async (given, expected) => {
  answer(impactOf({ manifests: [manifestOf()] }))
  const saved = confirmImpact(edited)
  await expect.poll(() => questionStore.getState().question?.details).toEqual(['Patient'])
  questionStore.getState().question?.answer(given)
  expect(await saved).toBe(expected)
})

it('a configuration is compared only if packages were built, and a save asks if it breaks their callers', async () => {
  const change = { path: ['configurationBuild', 'apiConfiguration', 'type'], value: [] }
  const edits = [{ kind: 'changeConfiguration' as const, changes: [change] }]
  const configuration = { id: home, name: 'Clinic', database: 'HSQL', edits, scope: edited.scope }
  const stub = (packages: object[]) =>
    vi.stubGlobal('fetch', async (url: string) => {
      calls.push(url)
      const { problems, schema, api, scopes } = manifestOf()
      return Response.json(
        url.includes('comparison')
          ? { problems, schema: { ...schema, statements: null }, api, scopes }
          : { result: 'OK', message: '', packages, totalElements: packages.length, size: 1000, page: 0, next: null },
      )
    })
  stub([])
  expect(await confirmConfigurationImpact(configuration)).toBe(true)
  expect(calls.filter(url => url.includes('comparison'))).toEqual([])
  const built = { manifestName: 'Clinic', manifestPath: 'user-defined/Clinic', isDefault: false, status: 'SUCCESS' }
  stub([{ ...built, id: 3, userId: 'ann', guid: 'g', name: 'clinic', manifestId: home, versions: [], builds: [] }])
  const saved = confirmConfigurationImpact(configuration)
  await expect.poll(() => questionStore.getState().question?.title).toBe('Save Configuration')
  expect(questionStore.getState().question?.groups?.[0]?.parts).toEqual([
    { name: 'Clinic, published as clinic', lines: ['Patient.tax was renamed to taxId.'] },
  ])
  questionStore.getState().question?.answer('cancel')
  expect(await saved).toBe(false)
})
