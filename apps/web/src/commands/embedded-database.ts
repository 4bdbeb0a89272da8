import { embeddedDatabase } from '@cadmus/model/database-types'
import { messages } from '@cadmus/model/messages'

/** Explains a connection URL that refers to an instance's embedded database. */
export function embeddedHint(url: string): string | undefined {
  const { embeddedDatabase: title, embeddedMeans } = messages.packages
  return embeddedDatabase(url) === undefined ? undefined : `${title}. ${embeddedMeans}`
}
