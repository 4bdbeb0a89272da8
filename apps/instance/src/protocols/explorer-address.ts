import type { Api } from '@cadmus/model/api/api'

/** The explorer's view of a protocol, the redirect target for browsers at the address of the protocol. */
export function explorerAddress({ namespace }: Api, protocol: 'graphql' | 'soap'): string {
  return `/api-explorer?package=${encodeURIComponent(namespace)}&protocol=${protocol}`
}
