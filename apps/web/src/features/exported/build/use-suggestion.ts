import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { comparable, compareBuild } from '../../../api/packages.ts'
import { keys, scoped } from '../../../api/query-client.ts'
import { useDebounced } from '../../../ui/use-debounced.ts'
import { sentConfiguration, type BuildForm, type BuildStart } from './build-flow.ts'

/** `initial`: the suggestion of the unchanged form; undefined once the form was changed. Keeps the previous suggestion until a new one arrives. */
export function useSuggestion(
  manifestId: number,
  { configurations }: BuildForm,
  initial: BuildStart['suggestion'] | undefined,
): BuildStart['suggestion'] {
  const body = { manifestProperties: comparable([...configurations.values()].map(sentConfiguration)) }
  const debounced = useDebounced(JSON.stringify(body), 400)
  const { data } = useQuery({
    ...scoped([...keys.manifests, 'compare', manifestId, debounced], options =>
      compareBuild(manifestId, body, options),
    ),
    enabled: initial === undefined && debounced === JSON.stringify(body),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return initial === undefined ? (data ?? null) : initial
}
