import * as z from 'zod'
import { asAnswered } from '../contract/request-fields.ts'
import { dataStepSchema } from '../data-steps.ts'
import { enumerationSchema } from '../enumeration.ts'
import { ownField } from './field.ts'

/** The fields of a manifest itself, in stored order; its members and sub-manifests have edits of their own. */
export const manifestFields = {
  uid: ownField({ schema: z.string(), part: 'uid', request: asAnswered }),
  name: ownField({ schema: z.string(), part: 'name' }),
  description: ownField({ schema: z.string(), part: 'value', default: '', request: asAnswered }),
  /** Changed by edits only. */
  enumerations: ownField({ schema: z.array(enumerationSchema), part: 'value', default: [], since: 5 }),
  /** Changed by edits only. All steps of the versions so far, in their order. */
  dataSteps: ownField({ schema: z.array(dataStepSchema), part: 'value', default: [], since: 6 }),
  importsPath: ownField({ schema: z.array(z.string()), part: 'value', default: [], request: asAnswered }),
}
