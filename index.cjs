'use strict'

// The CommonJS entry: the same module object, so there is one set of classes.
module.exports = require('./src/js/index.js')
