import { formatCount } from '@cadmus/model/display'
import { useQuery } from '@tanstack/react-query'
import { importProgress } from '../../api/manifests.ts'
import { scoped } from '../../api/query-client.ts'
import { ProgressBar } from '../../ui/ProgressBar.tsx'

const phases = {
  waiting: 'Waiting for other imports',
  reading: 'Reading the files',
  resolving: 'Resolving the entities',
  storing: 'Storing the entities',
  done: 'Finishing',
  failed: 'Stopping',
  cancelled: 'Stopping',
} as const

/** Progress of an import, polled twice a second. No polling without a key. */
export function ImportProgress({ importKey, fileName }: { importKey: string | null; fileName: string }) {
  const { data } = useQuery({
    ...scoped(['import', importKey], options => importProgress(importKey ?? '', options)),
    enabled: importKey !== null,
    refetchInterval: 500,
    retry: true,
    retryDelay: 500,
    gcTime: 0,
  })
  if (!data || data.total === 0)
    return <ProgressBar label={data ? phases[data.state] : `Uploading ${fileName}`} done={null} />
  const detail = `${formatCount(data.done)} of ${formatCount(data.total)}`
  return <ProgressBar label={phases[data.state]} done={data.done} total={data.total} detail={detail} />
}
