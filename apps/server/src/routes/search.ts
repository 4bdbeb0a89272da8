import { searchAnything } from '@cadmus/model/contract/search'
import { excerptOf, searchTerms } from '@cadmus/model/search/match-text'
import { handle, type Route } from '../http/route.ts'
import { documentsNamedByWords, type MatchedDocument, type SearchMatch, searchEverything } from '../store/search.ts'
import { entityTypeOf } from './list-answers.ts'

export const searchRoutes: Route[] = [
  handle(searchAnything, async ({ query }, { context: { store }, organisation }) => {
    const place = { db: store.of(organisation.id), organisationId: organisation.id, names: store.names }
    const terms = searchTerms(query.search)
    const [matches, named] = await Promise.all([searchEverything(place, query), documentsNamedByWords(place, query)])
    return { matches: matches.map(match => answered(match, terms)), named: named.map(documentOf) }
  }),
]

function answered({ document, text, ...match }: SearchMatch, terms: readonly string[]) {
  return { ...match, document: documentOf(document), ...excerptOf(text, terms) }
}

function documentOf({ kind, id, name, path, folder, type = '' }: MatchedDocument) {
  const fields = { id, name, path, folder }
  return kind === 'entity' ? { kind, ...fields, type: entityTypeOf(type) } : { kind, ...fields }
}
