import type * as z from 'zod'
import type { ManifestAnswer, manifestRequest } from '@cadmus/model/contract/manifest-shapes'
import type { DatabaseType } from '@cadmus/model/database-types'
import { parseLicence } from '@cadmus/model/licence'
import { defaults } from '@cadmus/model/limits'
import type { Problem, ProblemStep } from '@cadmus/model/problem'
import { licensedDatabase } from '@cadmus/model/rules/organisation'
import { firstError } from '@cadmus/model/validate'
import type { Organisation } from '../auth/caller.ts'
import type { ManifestPlan } from '../commands/manifest/manifest-plan.ts'
import { ApiError, forbidden, notFound } from '../errors/api-error.ts'
import { ReadyJson } from '../http/ready-json.ts'
import type { RequestContext } from '../http/route.ts'
import { manifestAnswer } from '../jobs/answers.ts'
import { problemItem } from '../jobs/problem-writer.ts'
import { isLightManifest } from '../store/answer-size.ts'
import { frozenManifestVersions, manifestById, type ManifestRow, type ManifestVersionRow } from '../store/manifest.ts'

/** Returns an own or predefined manifest; throws 404 otherwise. */
export async function requireManifest(
  { context, organisation }: Pick<RequestContext, 'context' | 'organisation'>,
  id: number,
): Promise<ManifestRow> {
  const manifest = await manifestById(context.store.of(organisation.id), organisation.id, id)
  if (manifest === undefined) throw notFound('The manifest')
  return manifest
}

/** Returns the frozen version, or null for the latest one or none requested. Throws 404 if it does not exist. */
export async function requireVersion(
  { context, organisation }: RequestContext,
  manifest: ManifestRow,
  version: string | undefined,
): Promise<ManifestVersionRow | null> {
  if (version === undefined || version === manifest.latest_version) return null
  const frozen = await frozenManifestVersions(context.store.of(organisation.id), manifest)
  const row = frozen.find(item => item.version === version)
  if (row === undefined) throw notFound(`The version ${version}`)
  return row
}

type Request = Pick<RequestContext, 'context' | 'organisation' | 'setEtag' | 'signal'>

/** Answers with a manifest, latest or frozen. */
export async function answerManifest(
  request: Request,
  row: ManifestRow,
  frozen: ManifestVersionRow | null = null,
): Promise<{ manifest: ManifestAnswer } | ReadyJson> {
  const { context, signal } = request
  return answer(request, row, frozen, input => context.workers.run('manifest', input, signal))
}

/** Answers with the latest state of a manifest after a stored change: never rejected for a full queue. */
export async function answerChangedManifest(
  request: Request,
  row: ManifestRow,
): Promise<{ manifest: ManifestAnswer } | ReadyJson> {
  const { context, signal } = request
  return answer(request, row, null, input => context.workers.runAfterChange('manifest', input, signal))
}

type Place = { organisationId: number; manifestId: number; version: string | null }

/** A worker makes large answers and answers for frozen versions, whose contents must be read. */
async function answer(
  { context: { store }, organisation: { id: organisationId }, setEtag }: Request,
  row: ManifestRow,
  frozen: ManifestVersionRow | null,
  inThread: (place: Place) => Promise<{ json: Uint8Array; etag: string }>,
): Promise<{ manifest: ManifestAnswer } | ReadyJson> {
  if (frozen === null && (await isLightManifest(store.of(organisationId), organisationId, row))) {
    const { manifest, etag } = await manifestAnswer({ store, organisationId }, row)
    setEtag(etag)
    return { manifest }
  }
  const { json, etag } = await inThread({ organisationId, manifestId: row.id, version: frozen?.version ?? null })
  setEtag(etag)
  return new ReadyJson(json)
}

/** The plan of a plain creation, without duplicate or configuration. */
export function plainManifest(body: z.output<typeof manifestRequest>, { limits }: Organisation): ManifestPlan {
  return {
    name: body.manifestName,
    description: body.description,
    importsPath: body.importsPath,
    entityIds: body.entities,
    entityNames: body.exclusiveEntities,
    subManifestIds: body.subManifests,
    duplicateId: -1,
    configuration: null,
    generateType: 'Manifest',
    version: defaults.version,
    licence: limits,
  }
}

/** Throws 400 with the first error's message and all problems, if there is an error. */
export function refuseErrors(problems: readonly Problem[]): void {
  const first = firstError(problems)
  if (first === undefined) return
  const errors = problems
    .filter(problem => problem.severity === 'error')
    .map(({ path, message }) => ({ path: path.map(stepText).join('/'), message }))
  throw new ApiError(400, 'invalid_manifest', first.message, { errors, problems: problems.map(problemItem) })
}

function stepText({ name }: ProblemStep): string {
  return name
}

/** Throws 403 if the licence lacks the database; without one, the first of the licence. */
export function licensedType(licence: string, requested: DatabaseType | undefined): DatabaseType {
  const licensed = licensedDatabase(requested, parseLicence(licence))
  if ('refusal' in licensed) throw forbidden(licensed.refusal, 'licence')
  return licensed.type
}
