import * as z from 'zod'
import { diagramDetails, diagramLimits } from '../diagram/view.ts'
import { storedViewTexts } from '../messages/diagram.ts'
import { entityCall, manifestCall } from './lists.ts'
import { base } from './routes.ts'
import { idParams, idSchema, idText, operationIdSchema, resultAnswer } from './shared.ts'

const optionalVersion = z.object({ version: z.string().max(100).optional() })

export const diagramAreaKinds = ['own', 'subManifest', 'outside'] as const

const count = z.number().int().min(0)
/** Indices into `entities`, or into `areas`. */
const indices = z.array(count)

/** Parallel columns; a card is its index, and so is a link. */
const columns = {
  areas: z.array(
    z.object({
      uid: z.string().describe("'' for what lies outside of all manifests shown."),
      name: z.string(),
      path: z.string(),
      kind: z.enum(diagramAreaKinds),
    }),
  ),
  entities: z.object({
    ids: indices,
    uids: z.array(z.string()),
    names: z.array(z.string()),
    areas: indices,
    rows: indices.describe('Rows of the whole card, limited as in the rows themselves.'),
    keyRows: indices.describe('Its first rows, which are keys and foreign keys.'),
    locked: z.array(z.boolean()).describe('Whether it is predefined or frozen and cannot be edited.'),
  }),
  links: z.object({
    uids: z.array(z.string()).describe('Of the relationship, which has a link to each of its targets.'),
    from: indices,
    to: indices,
    row: z.array(z.number().int()).describe('Row of the foreign key.'),
    ends: indices.describe('1: the foreign key is unique, 2: it may be empty.'),
  }),
}

export const diagramAnswer = z.object({ ...columns, version: z.string() })
export type DiagramAnswer = z.output<typeof diagramAnswer>

export const getManifestDiagram = manifestCall({
  id: 'getManifestDiagram',
  method: 'GET',
  path: `${base}/manifest/{id}/diagram`,
  concurrency: 'etag',
  revalidates: true,
  summary:
    'The entities of a manifest and its sub-manifests with the relationships between them, in columns. Targets outside of them are in an area of their own.',
  params: idParams,
  query: optionalVersion,
  answer: diagramAnswer,
})

const neighbourhoodAnswer = diagramAnswer.extend({
  more: indices.describe('By entity: the number of entities linked with it that are not included.'),
})
export type NeighbourhoodAnswer = z.output<typeof neighbourhoodAnswer>

export const getEntityDiagram = entityCall({
  id: 'getEntityDiagram',
  method: 'GET',
  path: `${base}/entity/{id}/diagram`,
  concurrency: 'etag',
  revalidates: true,
  summary: `The entities up to a number of relationships away from one, which is the first; at most ${diagramLimits.neighbourhood}, nearest first. Areas are their manifests.`,
  params: idParams,
  query: z.object({ steps: z.coerce.number().int().min(1).max(3).default(1) }),
  answer: neighbourhoodAnswer,
})

export const cardRow = z.object({
  uid: z.string(),
  name: z.string(),
  type: z.string(),
  kind: z.enum(['key', 'reference', 'attribute', 'more']),
  nullable: z.boolean(),
})

/** Ids, separated by commas. */
const idList = z
  .string()
  .max(20 * diagramLimits.rowsAtOnce)
  .transform(text => text.split(',').map(Number))
  .pipe(z.array(idSchema).min(1).max(diagramLimits.rowsAtOnce))

export const getDiagramRows = entityCall({
  id: 'getDiagramRows',
  method: 'GET',
  path: `${base}/diagram/rows`,
  summary:
    'The rows of entities as text: keys, then foreign keys, then attributes. Entities that do not exist are left out.',
  query: z
    .object({
      entities: idList.describe(`Ids, separated by commas; at most ${diagramLimits.rowsAtOnce}.`),
      manifest: idText.optional().describe('The manifest whose version shows the entities.'),
      version: z.string().max(100).optional().describe('Of the manifest; absent: the current state.'),
    })
    .refine(({ manifest, version }) => version === undefined || manifest !== undefined, {
      path: ['manifest'],
      error: storedViewTexts.versionWithoutManifest,
    }),
  answer: z.object({
    entities: z.array(z.object({ id: z.number().int(), rows: z.array(cardRow).max(diagramLimits.rowsOfCard) })),
  }),
})

const coordinate = z.number().int().min(-diagramLimits.coordinate).max(diagramLimits.coordinate)

const placement = z.strictObject({ x: coordinate, y: coordinate, hidden: z.boolean() })

/** By the uid of the entity. */
function byEntity<V extends z.ZodType>(value: V) {
  const { changes: max } = diagramLimits
  return z
    .record(z.string().min(1).max(60), value)
    .refine(items => Object.keys(items).length <= max, storedViewTexts.tooManyChanges(max))
}

const summary = z.object({
  uid: z.string(),
  name: z.string(),
  shared: z.boolean().describe('Belongs to the manifest; otherwise to the user.'),
  detail: z.enum(diagramDetails),
  revision: z.number().int().describe('Grows with each change.'),
})
export type DiagramViewSummary = z.output<typeof summary>

const view = summary.extend({ placements: z.record(z.string(), placement) })

export const listDiagramViews = manifestCall({
  id: 'listDiagramViews',
  method: 'GET',
  path: `${base}/manifest/{id}/diagram/views`,
  concurrency: 'etag',
  revalidates: true,
  summary:
    "Views of a manifest's diagram: shared ones, oldest first, then the user's own; with the placements of one. A version has shared ones only.",
  params: idParams,
  query: optionalVersion.extend({
    open: z.string().max(60).optional().describe('Uid of the view to open; otherwise the oldest shared one.'),
  }),
  answer: z.object({ views: z.array(summary), open: view.nullable().describe('null: there is none.') }),
})

const viewFields = {
  name: z.string().max(1000),
  detail: z.enum(diagramDetails),
}

export const createDiagramView = manifestCall({
  id: 'createDiagramView',
  method: 'POST',
  path: `${base}/manifest/{id}/diagram/views`,
  repeatable: true,
  summary: 'Stores a view of the diagram. A shared one requires the right to edit the manifest.',
  params: idParams,
  body: z.strictObject({
    operationId: operationIdSchema,
    ...viewFields,
    detail: viewFields.detail.default('all'),
    shared: z.boolean(),
    placements: byEntity(placement).default({}),
  }),
  answer: z.object({ view: summary }),
})

const viewParams = idParams.extend({ uid: z.string().max(60) })

const refusedPlacement = z.object({
  placement: placement.nullable().describe('The stored one.'),
  by: z.string(),
  at: z.string(),
})
export type RefusedPlacement = z.output<typeof refusedPlacement>

export const changeDiagramView = manifestCall({
  id: 'changeDiagramView',
  method: 'PATCH',
  path: `${base}/manifest/{id}/diagram/views/{uid}`,
  repeatable: true,
  summary:
    'Changes a view, merged card by card: a card that another user changed after `base` is refused and answered, the others are applied.',
  params: viewParams,
  body: z.strictObject({
    operationId: operationIdSchema,
    base: z.number().int().min(0).describe('The revision that the changes are based on.'),
    changes: byEntity(placement.nullable()).default({}).describe('null: not placed.'),
    name: viewFields.name.optional(),
    detail: viewFields.detail.optional(),
  }),
  answer: z.object({
    view: summary,
    changes: z
      .record(z.string(), placement.nullable())
      .describe('Other changes since `base`, earlier ones of the same user included.'),
    refused: z.record(z.string(), refusedPlacement),
  }),
})

export const deleteDiagramView = manifestCall({
  id: 'deleteDiagramView',
  method: 'DELETE',
  path: `${base}/manifest/{id}/diagram/views/{uid}`,
  summary: 'Deletes a view. A shared one requires the right to edit the manifest.',
  params: viewParams,
  answer: resultAnswer,
})
