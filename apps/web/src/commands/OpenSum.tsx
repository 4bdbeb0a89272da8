import type { Configuration } from '@cadmus/model/configuration'
import { openSum } from '@cadmus/model/messages/scopes'
import { accessOf, countOpen, settingsKind } from '@cadmus/model/required-scopes'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { manifestPathsQuery } from '../api/configurations.ts'
import { Alert } from '../ui/Alert.tsx'

type OpenSumProps = { manifestId: number; configuration: Configuration }

/** How many operations require no scope, unless a warning says so. Nothing without an API. */
export function OpenSum({ manifestId, configuration }: OpenSumProps) {
  const { configurationBuild } = configuration
  const access = useMemo(() => accessOf(configurationBuild), [configurationBuild])
  const { data } = useQuery({ ...manifestPathsQuery(manifestId), enabled: access.isServed })
  const count = useMemo(() => data && countOpen(data.entities, access), [data, access])
  const settings = settingsKind(access)
  if (!count || settings === 'noApi' || (settings === 'scopes' && count.open > 0)) return null
  return <Alert kind="info">{openSum({ ...count, settings })}</Alert>
}
