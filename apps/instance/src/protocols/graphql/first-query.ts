import { rootFields } from '@cadmus/formats/graphql/root-fields'
import { servedFields } from '@cadmus/formats/served-fields'
import type { Api } from '@cadmus/model/api/api'
import type { Admitted } from '../../auth/admitted.ts'

const maxFields = 5

/** A sample query: the first list the caller may read, with its total and first fields. '' if there is none. */
export function firstQuery(api: Api, caller: Pick<Admitted, 'may'>): string {
  const list = rootFields(api).query.find(
    ({ kind, entity }) => kind === 'selectAll' && caller.may({ entity: entity.name, operation: 'selectAll' }),
  )
  if (list === undefined) return ''
  const { name, entity, names } = list
  const members = servedFields(api, entity)
    .slice(0, maxFields)
    .flatMap(field => names.members.get(field.name) ?? [])
  const records = members.length === 0 ? [] : ['records {', ...members.map(member => `  ${member}`), '}']
  const lines = ['total', ...records].map(line => `    ${line}`)
  return ['{', `  ${name}${api.options.limitOffset ? '(limit: 10)' : ''} {`, ...lines, '  }', '}', ''].join('\n')
}
