import * as z from 'zod'
import { entityTypes } from '../entity-types.ts'
import { callsFor } from './call.ts'
import { base } from './routes.ts'

/** Matches of each kind in an answer, and characters of a search text. */
export const searchLimits = { matches: { default: 8, max: 20 }, search: 200 } as const

export const matchKinds = ['entity', 'manifest', 'attribute', 'relationship', 'choice', 'scope', 'description'] as const
export type MatchKind = (typeof matchKinds)[number]

const documentFields = { id: z.number().int(), name: z.string(), path: z.string(), folder: z.string() }
const matchedDocument = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('entity'), ...documentFields, type: z.enum(entityTypes) }),
  z.object({ kind: z.enum(['manifest', 'configuration']), ...documentFields }),
])

const match = z.object({
  kind: z.enum(matchKinds),
  document: matchedDocument.describe('The document with the match; of a scope definition, the configuration.'),
  row: z
    .object({ kind: z.enum(['typeAttribute', 'entityAttribute']), uid: z.string(), name: z.string() })
    .nullable()
    .describe('The attribute or relationship; null for the document itself.'),
  text: z.string().describe('The matching text, or the part of it around the match.'),
  marks: z
    .array(z.tuple([z.number().int(), z.number().int()]))
    .describe('Start and end of the searched words in `text`, in UTF-16 code units.'),
  detail: z.string().describe('Of a relationship: the target. Of an operation scope: the operations. Otherwise empty.'),
  rank: z.number().int().describe('0: exact, 1: prefix, 2: starts of words, 3: within words.'),
})
export type Match = z.output<typeof match>

export const searchAnything = callsFor({ tag: 'Search', access: 'user' })({
  id: 'searchAnything',
  method: 'GET',
  path: `${base}/search`,
  summary:
    'Searches entities, manifests, attributes, relationships, values of choices, scopes and descriptions: own ones first, then by rank. Names match anywhere; choices, scopes and descriptions at the start of words.',
  query: z.object({
    search: z.string().max(searchLimits.search).default(''),
    limit: z.coerce.number().int().min(1).max(searchLimits.matches.max).default(searchLimits.matches.default),
  }),
  answer: z.object({
    matches: z.array(match),
    named: z
      .array(matchedDocument)
      .describe('Own entities and manifests that one of several words names: "clinic publish" names Clinic.'),
  }),
})
