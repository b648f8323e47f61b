package io.selvedge.client.model;

import java.util.List;

/**
 * What would become of stored entities if types were others.
 *
 * @param checked entities that this call has looked at
 * @param unfit those of them that fit now and would no longer
 * @param examples the first of those
 * @param nextPageKey to be sent with the same types to look at more, null at the end
 */
public record TypeCheck(long checked, long unfit, List<Unfit> examples, String nextPageKey) {

    /** Reads absent examples as none. */
    public TypeCheck {
        examples = Lists.orEmpty(examples);
    }

    /**
     * An entity that would no longer fit.
     *
     * @param entityType its entity type
     * @param id identifier
     * @param typePath its type path
     * @param name its name, or null
     * @param errors what would be wrong with it
     */
    public record Unfit(String entityType, String id, String typePath, String name, List<Fault> errors) {

        /** Reads absent errors as none. */
        public Unfit {
            errors = Lists.orEmpty(errors);
        }
    }

    /**
     * What would be wrong with a value.
     *
     * @param path where the value is, for example {@code /price}
     * @param message what is wrong with it
     */
    public record Fault(String path, String message) {}
}
