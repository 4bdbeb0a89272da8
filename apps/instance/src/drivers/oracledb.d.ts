/** The used parts of the driver, which has no types. */
declare module 'oracledb' {
  type Bind = string | number | Buffer | null | { dir: number; type: number }
  export type ResultSet = { getRows(count: number): Promise<unknown[][]>; close(): Promise<void> }
  type Result = { resultSet?: ResultSet; rowsAffected?: number; outBinds?: unknown[][] }

  export type Connection = {
    callTimeout: number
    execute(text: string, binds: Bind[], options: object): Promise<Result>
    breakExecution(): Promise<void>
    commit(): Promise<void>
    rollback(): Promise<void>
    close(): Promise<void>
    /** False if the server has reported the end of the session. */
    isHealthy(): boolean
    /** Makes a round trip to the server. */
    ping(): Promise<void>
  }

  const oracledb: {
    readonly BIND_OUT: number
    readonly STRING: number
    readonly NUMBER: number
    readonly OUT_FORMAT_ARRAY: number
    readonly DB_TYPE_CLOB: unknown
    readonly DB_TYPE_NCLOB: unknown
    readonly DB_TYPE_NUMBER: unknown
    getConnection(settings: object): Promise<Connection>
  }
  export default oracledb
}
