# Lockstep's mock as a container; see mock/README.md, "As a container".
#
#   docker build --tag lockstep .
#
# BASE_IMAGE  has Node 24, npm and a shell. Builds the package, and runs it unless RUN_IMAGE is given.
# RUN_IMAGE   needs only `node` on its PATH.
# SOURCE, VERSION and REVISION stand on the image as its labels; the release workflow gives them.
# PRISM       "include" adds the optional peer that `mock --description` and `Prefer` need.
#
# Old builders can build it too: no mounts, no syntax line.
ARG BASE_IMAGE=node:24-alpine
ARG RUN_IMAGE=${BASE_IMAGE}

FROM ${BASE_IMAGE} AS manifest
WORKDIR /lockstep
COPY package.json package-lock.json ./

FROM manifest AS dependencies
ARG PRISM=omit
# npm leaves out what is a development dependency or an optional peer as well, unless neither is named.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
 && if [ "$PRISM" = include ]; then \
      prism=$(node -p 'const name = "@stoplight/prism-http"; `${name}@${require("./package.json").peerDependencies[name]}`') \
      && npm pkg delete devDependencies peerDependencies \
      && npm install --no-save --ignore-scripts --no-audit --no-fund "$prism"; \
    fi

FROM manifest AS build
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

FROM ${RUN_IMAGE}
ARG SOURCE=unknown
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.source="$SOURCE" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.title="Lockstep" \
      org.opencontainers.image.description="A stateful mock of a hosted analytics platform's management API" \
      org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /lockstep
COPY --from=dependencies /lockstep/node_modules node_modules
COPY --from=build /lockstep/dist dist
COPY LICENSE package.json ./
COPY bin/*.js bin/
# A number: an orchestrator can see that it is not root, and the base image needs no user of that name.
USER 1000:1000
EXPOSE 4010
HEALTHCHECK --interval=5s --timeout=3s --retries=3 CMD ["node", "/lockstep/bin/healthy.js"]
# The journal keeps the last requests: with a larger young generation the process takes 1.8 times the
# memory, and is no faster.
ENTRYPOINT ["node", "--max-semi-space-size=8", "/lockstep/bin/container.js"]
