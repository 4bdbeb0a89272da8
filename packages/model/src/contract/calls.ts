import { entityCalls } from './entity.ts'
import { manifestCalls } from './manifest.ts'
import { navigatorCalls } from './navigator.ts'
import { ssoCalls } from './sso.ts'

/** Every call of the console's API: each has one handler, one line in openapi.json, one place in the tests. */
export const allCalls = { ...ssoCalls, ...navigatorCalls, ...manifestCalls, ...entityCalls }
export type CallId = keyof typeof allCalls
