import * as z from 'zod'
import { dataStepSchema } from '../data-steps.ts'
import { databaseTypes } from '../database-types.ts'
import { diagramLimits } from '../diagram/view.ts'
import { entityContentSchema, operations } from '../entity.ts'
import { limits } from '../limits.ts'
import { migrationDirections, migrationGrades, migrationNamings } from '../migration-step.ts'
import { maxStepText, schemaStep } from '../schema-step.ts'
import { cardRow, diagramAnswer } from './diagram.ts'
import { unsavedEdits } from './edits.ts'
import { manifestCall } from './lists.ts'
import { base } from './routes.ts'
import { databaseTypeSchema, idParams, idSchema } from './shared.ts'

const versionText = z.string().max(limits.version.max)

/** One of the two states of a manifest that are compared. */
export const sideSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('now') }),
  z.strictObject({ kind: z.literal('version'), version: versionText }),
  z
    .strictObject({ kind: z.literal('draft'), ...unsavedEdits })
    .describe('The current state with edits that are not saved.'),
  z.strictObject({ kind: z.literal('build'), package: idSchema, version: versionText }),
  z
    .strictObject({ kind: z.literal('manifest'), manifest: idSchema, version: versionText.nullable() })
    .describe(
      'Another manifest. What was copied from the same origin counts as the same, then what has the same name.',
    ),
])
export type Side = z.output<typeof sideSchema>

/** A script that an export wrote before, in place of a state. Names are restored by the lines at its end. */
const scriptSideSchema = z.strictObject({
  kind: z.literal('script'),
  text: z.string().max(limits.sqlText),
  database: databaseTypeSchema.optional().describe('Whose SQL the script is. Absent: detected.'),
  renames: z
    .array(
      z.strictObject({
        table: z.string().max(limits.sqlName),
        column: z.string().max(limits.sqlName).nullable().describe('null: the table itself.'),
        uid: z.string().max(60).describe('Of the entity, or of the attribute or relationship, that it is now.'),
      }),
    )
    .max(5000)
    .default([])
    .describe('What has another name now; the rest is the same if it has the same name.'),
})
export type ScriptSide = z.output<typeof scriptSideSchema>

const sides = { before: sideSchema, after: sideSchema }

/** A manifest at a version, or a build of a package. */
const sideAnswer = z.object({
  name: z.string().describe('Of the manifest.'),
  version: z.string().describe('Of the manifest.'),
  packageVersion: z.string().nullable(),
})

const columnStep = z.object({ kind: z.enum(['typeAttribute', 'entityAttribute']), uid: z.string(), name: z.string() })

const changeAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['added', 'removed', 'moved', 'converted']), step: columnStep }),
  z.object({ kind: z.literal('renamed'), step: columnStep.nullable(), before: z.string(), after: z.string() }),
  z.object({
    kind: z.literal('changed'),
    step: columnStep.nullable(),
    field: z.string(),
    before: z.unknown(),
    after: z.unknown(),
  }),
])
/** A change of an entity; `step` is null for the entity itself. Long values are cut. */
export type ComparedChange = z.output<typeof changeAnswer>

const place = z.object({
  id: z.number().int().describe('-1: it does not exist now.'),
  name: z.string(),
  path: z.string(),
  manifest: z.string().describe("Name of the manifest that lists it; '' for an entity outside."),
})

export const entityChangeKinds = ['added', 'removed', 'renamed', 'moved', 'changed'] as const
export type EntityChangeKind = (typeof entityChangeKinds)[number]

const entityComparison = z.object({
  uid: z.string(),
  kinds: z.array(z.enum(entityChangeKinds)).describe('`moved`: another manifest lists it.'),
  before: place.nullable(),
  after: place.nullable(),
  changes: z.array(changeAnswer).describe('Empty for an added or removed entity.'),
})
export type EntityComparison = z.output<typeof entityComparison>

const fieldDifference = z.object({
  path: z.string(),
  field: z.string(),
  before: z.unknown(),
  after: z.unknown(),
})

const comparisonAnswer = z.object({
  before: sideAnswer,
  after: sideAnswer,
  entities: z.array(entityComparison).describe('Those that differ, by manifest and name.'),
  subManifests: z.array(
    z.object({
      uid: z.string(),
      kind: z.enum(['added', 'removed', 'renamed']),
      before: z.string(),
      after: z.string(),
    }),
  ),
  manifest: z.array(fieldDifference).describe('Fields of the manifest itself.'),
  configuration: z.array(fieldDifference).describe('Without secrets.'),
  same: z.number().int().describe('Entities without a difference.'),
  more: z.number().int().describe(`Entities left out after ${limits.comparedChanges} changes.`),
})
export type Comparison = z.output<typeof comparisonAnswer>

const compareCall = { method: 'POST', reads: true, params: idParams } as const

export const compareManifest = manifestCall({
  ...compareCall,
  id: 'compareManifest',
  path: `${base}/manifest/{id}/comparison`,
  summary: 'Compares two states of a manifest by uid: a renamed item is not a removed and an added one.',
  body: z.strictObject(sides),
  answer: comparisonAnswer,
})

export const compareManifestEntity = manifestCall({
  ...compareCall,
  id: 'compareManifestEntity',
  path: `${base}/manifest/{id}/comparison/entity`,
  summary: 'The contents of an entity on both sides of a comparison, with references to existing entities.',
  body: z.strictObject({ ...sides, uid: z.string().max(60) }),
  answer: z.object({ before: entityContentSchema.nullable(), after: entityContentSchema.nullable() }),
})
export type ComparedContents = z.output<typeof compareManifestEntity.answer>

export const scopeChange = z.object({
  entity: z.string(),
  operation: z.enum(operations),
  before: z
    .array(z.string())
    .nullable()
    .describe('One of these is required; empty: none; null: there is no such operation.'),
  after: z.array(z.string()).nullable(),
  opens: z.boolean().describe('Callers who could not call it before can now, or it is new and requires no scope.'),
})
export type ScopeChange = z.output<typeof scopeChange>

export const compareConsequences = manifestCall({
  ...compareCall,
  id: 'compareConsequences',
  path: `${base}/manifest/{id}/comparison/consequences`,
  summary: 'What the difference means for the tables of a database, the API and its scopes.',
  body: z.strictObject({ ...sides, database: z.enum(databaseTypes) }),
  answer: z.object({
    /** Why something could not be worked out: errors of a side. */
    problems: z.array(z.string()),
    schema: z.object({
      steps: z.array(schemaStep),
      refusals: z.array(z.string()).describe('Conditions that existing records may not meet.'),
      statements: z
        .array(z.string())
        .nullable()
        .describe(
          'They change tables in place where the database can, and stop at values that do not fit, of which an instance asks. null: they could not be worked out.',
        ),
    }),
    api: z.object({
      isServed: z.boolean().describe('Whether one of the sides configures an API; otherwise the lists are empty.'),
      breaks: z.array(z.string()).describe('What calls of clients no longer work.'),
      additions: z.array(z.string()).describe('What clients can use from now on.'),
    }),
    scopes: z.array(scopeChange),
  }),
})
export type Consequences = z.output<typeof compareConsequences.answer>

const migrationStepAnswer = z.object({
  grade: z.enum(migrationGrades),
  entity: z.string().max(maxStepText.name),
  attribute: z.string().max(maxStepText.name),
  text: z.string().max(maxStepText.text),
  question: z.string().nullable().describe('A query that counts the records or values that are lost or prevent it.'),
  key: z.string().nullable().describe('Identifies what the query counts among the counts of `previewRebuild`.'),
})
export type MigrationStepAnswer = z.output<typeof migrationStepAnswer>

export const compareMigration = manifestCall({
  ...compareCall,
  id: 'compareMigration',
  path: `${base}/manifest/{id}/comparison/migration`,
  summary:
    'A script that makes the tables of an exported database schema those of the other side and keeps their records, with its steps. `down` is the way back. Grades: `safe` does not touch records, `locks` reads or indexes them, `rewrites` writes them anew, `mayFail` can be prevented by some of them, `losesData` deletes data.',
  body: z.strictObject({
    before: z.discriminatedUnion('kind', [...sideSchema.options, scriptSideSchema]),
    after: sideSchema,
    database: z.enum(databaseTypes),
    direction: z.enum(migrationDirections).default('up'),
    naming: z.enum(migrationNamings).default('plain'),
  }),
  answer: z.object({
    problems: z.array(z.string()).describe('Errors of a side; there is no script then.'),
    refused: z.array(z.string()).describe('Changes that no script can make, and what to do; there is no script then.'),
    unpaired: z
      .array(
        z.object({
          table: z.string(),
          column: z.string().nullable(),
          candidates: z.array(z.object({ uid: z.string(), name: z.string() })),
          suggested: z.string().nullable().describe('A uid of the candidates.'),
        }),
      )
      .describe(
        'Tables and columns of a script that have no counterpart, at most 500, and what they may have been renamed to, the most alike first.',
      ),
    dataSteps: z
      .array(dataStepSchema)
      .describe('Of the manifests: those that only `after` has. A change of a manifest stores them.'),
    steps: z.array(migrationStepAnswer).describe('Those that lose data first.'),
    script: z
      .object({ fileName: z.string(), text: z.string() })
      .nullable()
      .describe('The text is empty if the tables are the same.'),
  }),
})
export type Migration = z.output<typeof compareMigration.answer>

const marks = ['same', 'added', 'removed', 'changed'] as const
export type ComparedMark = (typeof marks)[number]
const marksOf = z.array(z.enum(marks))

export const compareDiagram = manifestCall({
  ...compareCall,
  id: 'compareDiagram',
  path: `${base}/manifest/{id}/comparison/diagram`,
  summary: 'The diagram of both sides as one: `after`, with the entities and relationships that it no longer has.',
  body: z.strictObject(sides),
  answer: diagramAnswer.extend({
    entities: diagramAnswer.shape.entities.extend({
      ids: z.array(z.number().int()).describe('Below -1, each different: it does not exist now.'),
    }),
    marks: z.object({ entities: marksOf, links: marksOf }).describe('By index, as the columns.'),
  }),
})
export type ComparedDiagram = z.output<typeof compareDiagram.answer>

export const compareDiagramRows = manifestCall({
  ...compareCall,
  id: 'compareDiagramRows',
  path: `${base}/manifest/{id}/comparison/diagram/rows`,
  summary: 'The rows of cards in the diagram of a comparison: those of `after`, with the rows that it no longer has.',
  body: z.strictObject({ ...sides, uids: z.array(z.string().max(60)).min(1).max(diagramLimits.rowsAtOnce) }),
  answer: z.object({
    entities: z.array(
      z.object({
        uid: z.string(),
        rows: z.array(cardRow.extend({ mark: z.enum(marks) })).max(diagramLimits.rowsOfCard),
      }),
    ),
  }),
})
export type ComparedRows = z.output<typeof compareDiagramRows.answer>
