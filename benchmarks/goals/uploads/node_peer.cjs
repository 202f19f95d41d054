// The official Node server with its file store. Arguments: port, folder. Run where both packages are installed.
'use strict'
const { Server } = require('@tus/server')
const { FileStore } = require('@tus/file-store')

const [port, folder] = process.argv.slice(2)
const server = new Server({ path: '/tus/', relativeLocation: true, datastore: new FileStore({ directory: folder }) })
server.listen({ host: '127.0.0.1', port: Number(port) })
