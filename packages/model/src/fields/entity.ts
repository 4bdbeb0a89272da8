import * as z from 'zod'
import { checkFromRequest, checkRequest } from '../conditions/check-request.ts'
import { checkSchema } from '../conditions/condition.ts'
import { asAnswered } from '../contract/request-fields.ts'
import { entityReferenceSchema, referenceRequest } from '../entity-reference.ts'
import { entityTypes } from '../entity-types.ts'
import { groupFromRequest, groupRequest, groupSchema } from '../group.ts'
import { limits } from '../limits.ts'
import { ownField } from './field.ts'

/** The fields of an entity itself, in stored order; its attributes, relationships and scopes have edits of their own. A new one is described here. */
export const entityFields = {
  uid: ownField({ schema: z.string(), part: 'uid', request: z.string().max(60) }),
  name: ownField({ schema: z.string(), part: 'name', read: sent => sent.trim() }),
  description: ownField({ schema: z.string(), part: 'value', default: '', request: z.string().max(20_000) }),
  type: ownField({ schema: z.enum(entityTypes), part: 'value', default: 'EXCLUSIVE', request: asAnswered }),
  extendsEntity: ownField({
    schema: entityReferenceSchema.nullable(),
    part: 'value',
    default: null,
    request: referenceRequest.nullable(),
  }),
  referenceImportPaths: ownField({
    schema: z.array(z.string()),
    part: 'value',
    default: [],
    request: z.array(z.string().max(4000)).max(10_000).optional(),
  }),
  groups: ownField({
    schema: z.array(groupSchema),
    part: 'value',
    default: [],
    since: 3,
    request: z.array(groupRequest).max(limits.groups.max),
    read: sent => sent.map(groupFromRequest),
  }),
  checks: ownField({
    schema: z.array(checkSchema),
    part: 'value',
    default: [],
    since: 5,
    request: z.array(checkRequest).max(limits.checks.max),
    read: sent => sent.map(checkFromRequest),
  }),
  traits: ownField({ schema: z.array(z.unknown()), part: 'traits', default: [], request: asAnswered }),
  copiedFrom: ownField({ schema: z.string().nullable(), part: 'copiedFrom', default: null, request: asAnswered }),
}
