import { searchAnything, searchLimits } from '@cadmus/model/contract/search'
import { callApi } from './client.ts'
import type { CallOptions } from './send.ts'

/** Matches of the beginning of a text in the organisation and the library, own ones first. */
export async function searchFor(text: string, options: CallOptions) {
  return callApi(searchAnything, { query: { search: text.slice(0, searchLimits.search) } }, options)
}
