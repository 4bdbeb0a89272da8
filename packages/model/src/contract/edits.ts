import * as z from 'zod'
import { contentKinds } from '../audit-differences.ts'
import { configurationSchema } from '../configuration.ts'
import { contentTexts } from '../messages/values.ts'
import { onReferencesChoices } from '../detach.ts'
import { configurationEditSchema } from '../edits/configuration-edits.ts'
import { causeSchema, editFormat, editForms } from '../edits/edit-forms.ts'
import { entityEditSchema } from '../edits/entity-edits.ts'
import { manifestEditSchema } from '../edits/manifest-edits.ts'
import { entityContentSchema } from '../entity.ts'
import { isRecord } from '../equal.ts'
import { limits } from '../limits.ts'
import { manifestContentSchema } from '../manifest.ts'
import { messages } from '../messages.ts'
import { requestOf } from '../request-schema.ts'
import { withItems } from '../stored/nested-forms.ts'
import { StoredFormError, upgraded } from '../stored/stored-form.ts'
import { defineCall } from './call.ts'
import { entityEnvelope } from './entity-shapes.ts'
import { entityCall, entityTag, manifestCall, manifestTag } from './lists.ts'
import { manifestEnvelope } from './manifest-shapes.ts'
import { base } from './routes.ts'
import { idParams, idSchema, idText, userIdQuery } from './shared.ts'

// Edits of documents: an entity, a manifest, or its configuration.

type EditSchema = z.ZodType & { options: readonly [z.ZodObject, ...z.ZodObject[]] }

/** A list of edits in a request. Unknown fields of edits are refused. */
export function editList<E extends EditSchema>(edit: E) {
  const [first, ...others] = edit.options
  const requested: z.ZodType = z.discriminatedUnion('kind', [
    requestOf(first),
    ...others.map(option => requestOf(option)),
  ])
  return z.array(requested).max(limits.edits, messages.tooManyEdits(limits.edits)).pipe(z.custom<z.output<E>[]>())
}

/** Upgrades edits of an older format before their check, which refuses unknown fields. */
function withCurrentEdits(body: Readonly<Record<string, unknown>>, kind: unknown, format: number) {
  const form = Object.entries(editForms).find(([known]) => known === kind)?.[1]
  return form ? { ...body, edits: upgraded(form, body.edits, format) } : body
}

/** A body with edits of any format up to the current one. */
function inAnyFormat<S extends z.ZodType>(
  schema: S,
  upgrade: (body: Record<string, unknown>, format: number) => unknown,
) {
  return z.preprocess((json: z.input<S>, context): unknown => {
    const format = isRecord(json) ? json.format : editFormat
    if (!isRecord(json) || typeof format !== 'number' || format === editFormat) return json
    try {
      return upgrade({ ...json, format: editFormat }, format)
    } catch (error) {
      if (!(error instanceof StoredFormError)) throw error
      context.addIssue({ code: 'custom', path: ['format'], message: messages.editFormat(format, editFormat) })
      return z.NEVER
    }
  }, schema)
}

const operationFields = {
  format: z.number().int().describe('Format of the edits, at most the one that answers have.'),
  operationId: z
    .uuid()
    .toLowerCase()
    .describe(
      'Chosen by the client. A repeated request gets the first answer; 409 `operation_reused` for another request, `operation_cancelled` once it was settled.',
    ),
  dryRun: z
    .boolean()
    .default(false)
    .describe('Applies all rules and stores nothing. Numbers and tags in the answer are provisional.'),
}

function documentFields<E extends EditSchema>(edit: E) {
  return {
    base: z
      .string()
      .max(200)
      .optional()
      .describe('Tag of the state that the edits apply to; `*`: the current one. 428 if absent.'),
    version: z.string().max(100).optional().describe('The version to change; absent: the latest.'),
    edits: editList(edit),
    onReferences: z
      .record(z.string().max(60), z.enum(onReferencesChoices))
      .optional()
      .describe(
        'By uid of a removed column or entity, `*` for all others: how references to it are handled. Without it: 409 `references`.',
      ),
    cause: causeSchema.optional().describe("The entry of the document's log from which the edits were derived."),
  }
}

function bodyOf<E extends EditSchema>(kind: keyof typeof editForms, edit: E) {
  const body = z.strictObject({ ...operationFields, ...documentFields(edit) })
  return inAnyFormat(body, (json, format) => withCurrentEdits(json, kind, format))
}

/** A body with edits of one document, as sent. */
export type EditsBody = z.input<ReturnType<typeof bodyOf>>

const answerQuery = z.object({
  answer: z
    .enum(['content', 'document'])
    .default('content')
    .describe('`document`: what a GET of the document answers, in place of `content`. A dry run answers the content.'),
})

const entryFields = {
  sequence: z.number().int().describe('Order of all changes in the organisation.'),
  changeId: z.number().int().describe('Shared by all entries of a change.'),
  entryId: z.number().int().describe('Its id in the audit logs.'),
  document: z.object({
    kind: z.enum(contentKinds),
    id: z.number().int(),
    uid: z.string().nullable().describe('null if it was deleted.'),
    name: z.string(),
  }),
  version: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable().describe('The tag of the state after the change.'),
  actor: z.object({ name: z.string(), email: z.string() }),
  at: z.string(),
  description: z.string(),
}
/** An entry without its edits. */
const effect = z.object(entryFields)

function entryOf<E extends z.ZodType>(edit: E) {
  return effect.extend({
    own: z.boolean().describe('Whether the caller made the change.'),
    follows: z.boolean().describe('Whether the change followed from the change of another document.'),
    operationId: z.string().nullable().describe("null for other users' changes, and for changes without one."),
    format: z.number().int().nullable().describe('Format of the edits.'),
    edits: z
      .array(edit)
      .nullable()
      .describe(
        'From the state before to the one after, merged; null for creations, deletions, imports and very large changes.',
      ),
    cause: causeSchema.optional(),
  })
}

function resultOf<C extends z.ZodType, E extends z.ZodType, D extends z.ZodRawShape>(content: C, edit: E, document: D) {
  return z.object({
    ...document,
    entry: entryOf(edit).nullable().describe('null if nothing changed.'),
    content: content.optional().describe('The content as stored, in the state of the ETag.'),
    effects: z
      .array(effect)
      .max(limits.editEntries.effects)
      .describe(
        'Other changes that followed, such as updated references. Their edits are in the logs of their documents.',
      ),
  })
}

type Names = { save: string; list: string; states: string; settle: string }
/** `what`: the noun for summaries. */
type Place = { path: string; tag: string; what: string }
/** `document`: the fields of a GET's answer. */
type Parts<C, E, D> = Place & { kind: keyof typeof editForms; content: C; edit: E; document: D }

function callsOf<C extends z.ZodType, E extends EditSchema, D extends z.ZodRawShape>(
  names: Names,
  { kind, content, edit, document, ...place }: Parts<C, E, D>,
) {
  const result = resultOf(content, edit, document)
  return {
    save: saveCall(names.save, { ...place, body: bodyOf(kind, edit), result }),
    list: listCall(names.list, { ...place, edit }),
    states: statesCall(names.states, { ...place, content, edit }),
    settle: settleCall(names.settle, { ...place, result }),
  }
}

function saveCall<B extends z.ZodType, R extends z.ZodType>(
  id: string,
  { path, tag, what, body, result }: Place & { body: B; result: R },
) {
  return defineCall({
    id,
    method: 'POST',
    path: `${path}/edits`,
    tag,
    access: 'user',
    repeatable: true,
    concurrency: 'etag',
    summary: `Applies edits to ${what}, merged by uid and field with saves since their base; 409 \`conflict\` with both values. Rules, locks and log are those of the other saves.`,
    params: idParams,
    query: userIdQuery.extend(answerQuery.shape),
    body,
    answer: result,
  })
}

function listCall<E extends z.ZodType>(id: string, { path, tag, what, edit }: Place & { edit: E }) {
  return defineCall({
    id,
    method: 'GET',
    path: `${path}/edits`,
    tag,
    access: 'user',
    summary: `The log of ${what} with its edits, oldest first, or newest first with \`before\`.`,
    params: idParams,
    query: z.object({
      after: z.coerce.number().int().min(0).default(0).describe('The sequence number to continue after.'),
      before: z.coerce
        .number()
        .int()
        .min(0)
        .optional()
        .describe('Only entries below this sequence number, newest first and without their edits; 0: the newest.'),
      limit: z.coerce.number().int().min(1).max(limits.editEntries.page).default(limits.editEntries.page),
    }),
    answer: z.object({
      entries: z.array(entryOf(edit)),
      more: z.boolean().describe('Whether entries follow the last one.'),
    }),
  })
}

function statesCall<C extends z.ZodType, E extends z.ZodType>(
  id: string,
  { path, tag, what, content, edit }: Place & { content: C; edit: E },
) {
  const state = content.nullable()
  return defineCall({
    id,
    method: 'GET',
    path: `${path}/edits/{sequence}`,
    tag,
    access: 'user',
    summary: `An entry of the log of ${what} with the contents before and after it, without secrets and with current names in references.`,
    params: idParams.extend({ sequence: idText }),
    answer: z.object({
      entry: entryOf(edit),
      before: state.describe('null before a creation.'),
      after: state.describe('null after a deletion.'),
      others: z
        .array(effect)
        .max(limits.changedDocuments)
        .describe('The entries of other documents that the same request changed.'),
    }),
  })
}

function settleCall<R extends z.ZodType>(id: string, { path, tag, result }: Place & { result: R }) {
  return defineCall({
    id,
    method: 'POST',
    path: `${path}/edits/{operationId}/settle`,
    tag,
    access: 'user',
    concurrency: 'etag',
    summary:
      'The result of an unanswered operation; if it stored nothing, it is cancelled and will not be stored later. 404 for an operation of another user.',
    params: idParams.extend({ operationId: z.uuid().toLowerCase() }),
    query: answerQuery,
    answer: z.object({ result: result.nullable().describe('null: cancelled.') }),
  })
}

export const entityEdits = callsOf(
  { save: 'saveEntityEdits', list: 'listEntityEdits', states: 'getEntityEditStates', settle: 'settleEntityEdits' },
  {
    path: `${base}/entity/{id}`,
    tag: entityTag,
    what: 'an entity',
    content: entityContentSchema,
    kind: 'entity',
    edit: entityEditSchema,
    document: entityEnvelope.partial().shape,
  },
)

export const manifestEdits = callsOf(
  {
    save: 'saveManifestEdits',
    list: 'listManifestEdits',
    states: 'getManifestEditStates',
    settle: 'settleManifestEdits',
  },
  {
    path: `${base}/manifest/{id}`,
    tag: manifestTag,
    what: 'a manifest (its name, members in place and sub-manifests)',
    content: manifestContentSchema,
    kind: 'manifest',
    edit: manifestEditSchema,
    document: manifestEnvelope.partial().shape,
  },
)

const [changeConfiguration] = configurationEditSchema.options
/** Any JSON value: a recursive schema has no place in the API description. */
const anyValue = z
  .unknown()
  .refine((value): value is z.output<ReturnType<typeof z.json>> => value !== undefined, contentTexts.missing)
export const configurationEdit = z.discriminatedUnion('kind', [
  changeConfiguration.extend({
    changes: z.array(changeConfiguration.shape.changes.element.extend({ value: anyValue })),
  }),
])

/** Edits that are not saved, of the entities of a manifest and of its configuration. */
export const unsavedEdits = {
  entities: z
    .array(z.strictObject({ id: idSchema, edits: editList(entityEditSchema) }))
    .max(limits.unsavedDrafts)
    .describe('Those that do not exist are ignored.'),
  configuration: editList(configurationEdit).default([]),
}

export const configurationEdits = callsOf(
  {
    save: 'saveConfigurationEdits',
    list: 'listConfigurationEdits',
    states: 'getConfigurationEditStates',
    settle: 'settleConfigurationEdits',
  },
  {
    path: `${base}/manifest/{id}/configuration`,
    tag: manifestTag,
    what: "a manifest's configuration",
    content: configurationSchema,
    kind: 'configuration',
    edit: configurationEdit,
    document: { manifestProperties: configurationSchema.optional() },
  },
)

export const listManifestChanges = manifestCall({
  id: 'listManifestChanges',
  method: 'GET',
  path: `${base}/manifest/{id}/changes`,
  summary:
    "The caller's newest changes of the configuration of a manifest, and of its entities and those of its sub-manifests, newest first and without their edits. Searches the last 10,000 changes of the organisation.",
  params: idParams,
  query: z.object({
    before: z.coerce.number().int().min(1).optional().describe('Only changes with a lower `sequence`.'),
    limit: z.coerce.number().int().min(1).max(limits.editEntries.page).default(limits.editEntries.page),
  }),
  answer: z.object({ entries: z.array(entryOf(z.unknown())) }),
})

const { entities: mostStates, answer: statesLength, others: mostOthers } = limits.readStates

const entityState = z.object({
  ...entityEnvelope.shape,
  etag: z.string().describe('Of the current state.'),
  change: z
    .object({
      entries: z.array(entryOf(z.unknown())).describe('Its entries, newest first and without their edits.'),
      before: entityContentSchema.nullable(),
      after: entityContentSchema.nullable(),
    })
    .nullable()
    .describe('As in the states of its entries; null if there is none.'),
})

export const readEntityStates = entityCall({
  id: 'readEntityStates',
  method: 'POST',
  reads: true,
  path: `${base}/changes/entities`,
  summary:
    'The current states of entities, each as a GET answers it, with the contents before and after a change of it. Long answers come in parts: call again with the entities from `read` on.',
  body: z.strictObject({
    entities: z
      .array(
        z.strictObject({
          id: idSchema,
          change: z
            .union([
              z.strictObject({ sequence: z.number().int().min(1), last: z.number().int().min(1) }),
              z.literal('last'),
            ])
            .optional()
            .describe("From the first to the last of its entries in the log; `last`: the caller's newest change."),
        }),
      )
      .min(1)
      .max(mostStates),
  }),
  answer: z.object({
    states: z
      .array(entityState)
      .describe(`Without entities that do not exist, up to ${statesLength} characters and one more.`),
    read: z.number().int().describe('How many entities of the request were read.'),
    others: z
      .array(effect)
      .nullable()
      .describe(`The entries of all documents that the same requests changed; null: more than ${mostOthers}.`),
  }),
})
export type EntityStatesAnswer = z.output<typeof readEntityStates.answer>

const changedDocument = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('entity'), id: idSchema, ...documentFields(entityEditSchema) }),
  z.strictObject({
    kind: z.literal('manifest'),
    id: idSchema,
    ...documentFields(manifestEditSchema),
  }),
  z.strictObject({
    kind: z.literal('configuration'),
    id: idSchema.describe('Of the manifest.'),
    ...documentFields(configurationEdit),
  }),
])

export const saveChanges = entityCall({
  id: 'saveChanges',
  method: 'POST',
  path: `${base}/changes`,
  repeatable: true,
  summary:
    'Applies edits to several documents in their order, all or nothing, as one change of the log. Errors as for one document, which `document` names.',
  body: inAnyFormat(
    z.strictObject({
      ...operationFields,
      changes: z.array(changedDocument).min(1).max(limits.changedDocuments),
    }),
    (json, format) =>
      withItems(json, 'changes', item => (isRecord(item) ? withCurrentEdits(item, item.kind, format) : item)),
  ),
  answer: z.object({
    results: z
      .array(
        resultOf(z.unknown(), z.unknown(), {})
          .omit({ effects: true })
          .extend({
            content: z
              .unknown()
              .describe(
                'As stored, in the state of the tag; null if the contents before it in the list are too large.',
              ),
            etag: z.string().describe('The tag of the content, to be sent as a base.'),
          }),
      )
      .describe(
        'By document, in the order of the request. `entry`: the first of the document, which may follow from another document.',
      ),
    effects: z.array(effect).max(limits.editEntries.effects).describe('Changes of other documents that followed.'),
  }),
})
