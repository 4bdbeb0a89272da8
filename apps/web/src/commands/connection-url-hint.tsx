import { embeddedDatabase, hasPassword } from '@cadmus/model/database-types'
import { messages } from '@cadmus/model/messages'
import { WarningHint } from '../ui/Field.tsx'

/** Warns of a connection URL that contains a password, and explains one of an instance's embedded database. */
export function urlHint(url: string) {
  const { embeddedDatabase: title, embeddedMeans, passwordInUrl } = messages.packages
  if (hasPassword(url)) return <WarningHint>{passwordInUrl}</WarningHint>
  return embeddedDatabase(url) === undefined ? undefined : `${title}. ${embeddedMeans}`
}
