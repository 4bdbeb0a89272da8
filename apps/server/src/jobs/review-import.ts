import type { MessagePort } from 'node:worker_threads'
import { ImportError } from '@cadmus/formats/import-error'
import {
  countsOfEntity,
  type EntityCounts,
  type Finding,
  findingsByEntity,
  thingCounts,
} from '@cadmus/formats/import-review'
import type { ImportedManifest } from '@cadmus/formats/imported-model'
import type { Enumeration } from '@cadmus/model/enumeration'
import type { ImportInput, ImportLine, ReviewHead, ReviewOutcome } from '../commands/manifest/import-messages.ts'
import type { ReviewPart } from '../store/import-review.ts'
import { inBatches, inWeighedBatches } from '../store/statements.ts'
import { reportLines } from './import-lines.ts'
import { ImportPlan } from './import-plan.ts'
import { type EntityPlace, visibleLine } from './packed-entities.ts'
import { modelOf, request, requestPlaces } from './read-import.ts'
import { packItems, packUpload, pageSizes, type ReviewRow } from './review-pages.ts'

/** Reads an upload like an import, and sends what it found in pages, with the upload itself. */
export async function reviewImportFile(input: ImportInput): Promise<ReviewOutcome> {
  const { port, bytes } = input
  try {
    const read = await readForReview(input)
    const { rows, findings } = read
    await sendPages(port, 'entities', inBatches(rows, pageSizes.entities))
    const enumerations = read.model.manifests.flatMap(manifest => manifest.enumerations)
    await sendPages(port, 'enumerations', inWeighedBatches(enumerations, enumerationPage, weightOf))
    await sendPages(port, 'findings', inBatches(findings.map(visibleFinding), pageSizes.findings))
    await sendUpload(port, bytes)
    return { refused: null, head: headOf(read) }
  } catch (error) {
    if (error instanceof ImportError) return { refused: error.message, roots: error.roots }
    throw error
  } finally {
    port.close()
  }
}

async function readForReview(input: ImportInput) {
  const counts: EntityCounts[] = []
  const { model, entities, outside, files } = modelOf(input, entity => void counts.push(countsOfEntity(entity)))
  const { places } = entities
  const plan = new ImportPlan(model, entities, await requestPlaces(input.port, model, entities, outside))
  // The plan reports what storing changes.
  for (const _ of plan.entities()) continue
  const lines = reportLines(model, plan.report).map(({ kind = 'note', ...line }) => ({ ...line, kind }))
  const paths = places.map(({ corpusPath }) => corpusPath)
  const all = findingsByEntity(lines, paths)
  const findings = all.filter(({ kind }) => kind !== 'read')
  const facts = all.filter(({ kind }) => kind === 'read').map(({ message }) => message)
  const rows = rowsOf(places, { counts, findings, owners: ownersOf(model.manifests) })
  return { model, files, rows, findings, facts, things: thingCounts(model, counts) }
}

function headOf({
  model: { manifests },
  files,
  rows,
  findings,
  facts,
  things,
}: Awaited<ReturnType<typeof readForReview>>): ReviewHead {
  const members = Map.groupBy(rows, ({ manifest }) => manifest)
  return {
    name: manifests[0]?.name ?? '',
    files,
    entities: rows.length,
    manifests: manifests.map(({ name }, index) => ({
      name,
      parent: parentOf(manifests, index),
      ...sumOf(members.get(index) ?? []),
    })),
    things,
    facts,
    findings: numbersOf(findings),
    ownFindings: findings.filter(({ entity }) => entity < 0).length,
  }
}

type Read = { counts: readonly EntityCounts[]; findings: readonly Finding[]; owners: ReadonlyMap<string, number> }

function rowsOf(places: readonly EntityPlace[], { counts, findings, owners }: Read): ReviewRow[] {
  const own = Map.groupBy(findings, ({ entity }) => entity)
  let from = own.get(-1)?.length ?? 0
  return places.map(({ name, corpusPath, uid }, index): ReviewRow => {
    const about = own.get(index) ?? []
    const row = {
      index,
      name,
      manifest: owners.get(corpusPath) ?? 0,
      ...(counts[index] ?? noCounts),
      ...numbersOf(about),
      uid,
      from,
    }
    from += about.length
    return row
  })
}

const noCounts: EntityCounts = { attributes: 0, relationships: 0, keys: 0, uniques: 0, indexes: 0 }

function sumOf(rows: readonly ReviewRow[]) {
  const sum = (of: keyof EntityCounts) => rows.reduce((total, row) => total + row[of], 0)
  return {
    attributes: sum('attributes'),
    relationships: sum('relationships'),
    keys: sum('keys'),
    uniques: sum('uniques'),
    indexes: sum('indexes'),
    entities: rows.length,
  }
}

function numbersOf(findings: readonly Finding[]) {
  const count = (of: Finding['kind']) => findings.reduce((sum, { kind }) => sum + (kind === of ? 1 : 0), 0)
  return { problems: count('problem'), lost: count('lost'), changed: count('changed'), notes: count('note') }
}

/** As in the plan: entities belong to the first manifest that lists them. */
function ownersOf(manifests: readonly ImportedManifest[]): ReadonlyMap<string, number> {
  const owners = new Map<string, number>()
  for (const [index, { entities }] of manifests.entries())
    for (const path of entities) if (!owners.has(path)) owners.set(path, index)
  return owners
}

/** Manifests that list one another have no order. */
function parentOf(manifests: readonly ImportedManifest[], index: number): number | null {
  const path = manifests[index]?.path ?? ''
  const parent = manifests.slice(0, index).findIndex(({ subManifests }) => subManifests.includes(path))
  return parent < 0 ? null : parent
}

function visibleFinding({ level, kind, path, message }: Finding): ImportLine {
  return visibleLine({ severity: level, kind, path, message })
}

/** A page is read at once. Weight in characters. */
const enumerationPage = { items: 100, weight: 500_000 }

function weightOf({ values }: Enumeration): number {
  return values.reduce((sum, { value, label }) => sum + value.length + label.length + 100, 0)
}

async function sendPages(port: MessagePort, part: ReviewPart, pages: Iterable<readonly unknown[]>): Promise<void> {
  for (const [page, items] of [...pages].entries())
    await request(port, { kind: 'review', part, page, body: packItems(items) })
}

async function sendUpload(port: MessagePort, bytes: Uint8Array): Promise<void> {
  for (let page = 0; page * pageSizes.upload < bytes.length; page += 1) {
    const part = bytes.subarray(page * pageSizes.upload, (page + 1) * pageSizes.upload)
    await request(port, { kind: 'review', part: 'upload', page, body: packUpload(part) })
  }
}
